import { freshPostgresDatabase } from '../support/database.js';
import { PostgresServer } from '../support/postgres-server.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

const primary = await PostgresServer.start();
const database = await freshPostgresDatabase(primary.url());
const name = new URL(database.url).pathname.slice(1);
const replica = await primary.addReplica();
const environment = { DATABASE_URL: database.url, DATABASE_REPLICA_URLS: replica.url(name) };
const instances = [await startService(environment), await startService(environment)];
const [one, other] = instances as [Service, Service];

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await replica.remove();
  await primary.remove();
});

/** Whether the instance reads from its replica, according to its latest log line about it. */
function isUsed({ log }: Service): boolean {
  const last = log.findLast(({ msg }) => msg.startsWith('The replica'));
  return last?.msg.endsWith('is used for reads.') ?? false;
}

async function untilUsed(expected: boolean): Promise<void> {
  await until(() => instances.every((instance) => isUsed(instance) === expected));
}

/** Writes through one instance and expects the change in reads through the other. */
async function expectOwnWritesSeen(rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const { path, id } = await one.create({ title: `made ${round}` });
    expect((await other.get(path)).status).toBe(200);
    expect((await other.get('/posts/?ordering=-id&limit=1&fields=id')).json<PostJson[]>()).toEqual([{ id }]);
    const { etag } = await one.put(path, aPost({ title: `replaced ${round}` }));
    const seen = await Promise.all(instances.map((instance) => instance.get(path)));
    expect(seen.map((response) => response.etag)).toEqual([etag, etag]);
    await one.delete(path);
    expect((await other.get(path)).status).toBe(404);
    expect((await other.get(`/posts/?id=${id}`)).json()).toEqual([]);
  }
}

describe('a streaming replica', () => {
  it('serves reads, and shows every acknowledged write to all clients', async () => {
    await untilUsed(true);
    const { path } = await one.create();
    // On a busy machine, the service may skip the replica for a moment.
    await until(async () => {
      expect((await other.get(path)).status).toBe(200);
      const reads = `SELECT FROM pg_stat_activity WHERE application_name = 'posts-service' AND query LIKE '%"body"%'`;
      return (await replica.query(reads)).length > 0;
    });
    await expectOwnWritesSeen(20);
  });

  it('is not used while it lags, and used again afterwards', async () => {
    await untilUsed(true);
    await replica.query('SELECT pg_wal_replay_pause()');
    await expectOwnWritesSeen();
    await untilUsed(false);
    const metrics = (await other.get('/metrics')).text;
    expect(metrics).toMatch(/^database_replica_used\{replica="[^"]+"\} 0$/m);
    const [, lag] = /^database_replica_lag_seconds\{replica="[^"]+"\} (\S+)$/m.exec(metrics)!;
    expect(Number(lag)).toBeGreaterThan(0.1);
    expect(metrics).toMatch(/^database_connections\{state="waiting"\} 0$/m);
    await replica.query('SELECT pg_wal_replay_resume()');
    await untilUsed(true);
    const now = /^database_replica_lag_seconds\{replica="[^"]+"\} 0\./m;
    expect((await other.get('/metrics')).text).toMatch(now);
    await expectOwnWritesSeen();
  });

  it.each<[string, () => unknown, () => unknown]>([
    ['frozen', () => replica.freeze(), () => replica.thaw()],
    ['killed', () => replica.kill(), () => replica.startAgain()],
  ])('is not used while it is %s, and used again afterwards; no read fails', async (_, end, recover) => {
    await untilUsed(true);
    const { path } = await one.create();
    const reading = new AbortController();
    const statuses = new Set<number>();
    const readers = Array.from({ length: 4 }, async () => {
      while (!reading.signal.aborted) statuses.add((await other.get(path)).status);
    });
    await until(() => statuses.size > 0);
    await end();
    await untilUsed(false);
    await expectOwnWritesSeen();
    await recover();
    await untilUsed(true);
    reading.abort();
    await Promise.all(readers);
    expect(statuses).toEqual(new Set([200]));
    await expectOwnWritesSeen();
  });

  it('that cannot be reached is logged once, with the reason', async () => {
    const nowhere = 'postgres://nobody:s3cret@127.0.0.1:1/posts';
    const service = await startService({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: nowhere });
    const warnings = () => service.log.filter(({ level, msg }) => level === 'warn' && /replica/.test(msg));
    await until(() => warnings().length > 0);
    await service.get('/posts/');
    await service.stop();
    const refused = /^The replica postgres:\/\/127\.0\.0\.1:1\/posts is not used: .*ECONNREFUSED.*\.$/;
    expect(warnings().map(({ msg }) => msg)).toEqual([expect.stringMatching(refused)]);
    expect(JSON.stringify(service.log)).not.toContain('s3cret');
  });
});

describe('a failover', () => {
  it('makes a service whose URL has several hosts use the new primary, which is no replica any more', async () => {
    // First the standby, then a port without a server, then the primary.
    const hosts = `127.0.0.1:${replica.port},127.0.0.1:1,127.0.0.1:${primary.port}`;
    const url = database.url.replace(`127.0.0.1:${primary.port}`, hosts);
    const service = await startService({ DATABASE_URL: `${url}?target_session_attrs=read-write` });
    await untilUsed(true);
    const { path } = await service.create();
    const [{ lsn }] = await primary.query('SELECT pg_current_wal_lsn() AS lsn');
    const replayed = `SELECT WHERE pg_last_wal_replay_lsn() >= '${lsn}'`;
    await until(async () => (await replica.query(replayed)).length === 1);
    await replica.query('SELECT pg_promote()');
    await untilUsed(false);
    await expectOwnWritesSeen();
    await primary.kill();
    await until(async () => (await service.post(aPost())).status === 201);
    expect((await service.get(path)).status).toBe(200);
    expect((await service.get('/health/ready')).status).toBe(200);
    await service.stop();
  });
});
