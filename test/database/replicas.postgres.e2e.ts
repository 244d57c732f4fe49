import { setTimeout as sleep } from 'node:timers/promises';
import { freshPostgresDatabase } from '../support/database.js';
import { PostgresServer } from '../support/postgres-server.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

const primary = await PostgresServer.start();
const database = await freshPostgresDatabase(primary.url());
const replica = await primary.addReplica();
const replicaUrl = replica.url(new URL(database.url).pathname.slice(1));
const environment = { DATABASE_URL: database.url, DATABASE_REPLICA_URLS: replicaUrl };
const instances = [await startService(environment), await startService(environment)];
const [one, other] = instances as [Service, Service];

afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()));
  await replica.remove();
  await primary.remove();
});

/** The number of rows of `posts` that the replica has read, from its statistics. */
async function readsOfReplica(): Promise<number> {
  // A session writes its statistics after it has been idle for a moment.
  await sleep(1_100);
  const [row] = (await replica.query(
    `SELECT coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::int AS reads FROM pg_stat_user_tables WHERE relname = 'posts'`,
    new URL(database.url).pathname.slice(1),
  )) as [{ reads: number }];
  return row.reads;
}

/** Whether the instance reads from its replica, according to its latest log line about it. */
function isUsed({ log }: Service): boolean {
  return (
    log.findLast(({ msg }) => msg.startsWith('The replica'))?.msg.endsWith('is used for reads.') ?? false
  );
}

async function untilUsed(expected: boolean): Promise<void> {
  await until(() => instances.every((instance) => isUsed(instance) === expected));
}

/** Writes through one instance and expects the change in reads through the other. */
async function expectOwnWritesSeen(rounds: number): Promise<void> {
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
    const before = await readsOfReplica();
    let reads = before;
    // On a busy machine, the service may skip the replica for a moment, and the statistics may be ten seconds late.
    for (let attempt = 0; attempt < 20 && reads === before; attempt++) {
      await untilUsed(true);
      for (let n = 0; n < 50; n++) expect((await other.get(path)).status).toBe(200);
      reads = await readsOfReplica();
    }
    expect(reads).toBeGreaterThan(before);
    await expectOwnWritesSeen(50);
    await untilUsed(true);
  });

  it('is not used while it lags, and used again afterwards', async () => {
    await untilUsed(true);
    await replica.query('SELECT pg_wal_replay_pause()');
    await expectOwnWritesSeen(5);
    await untilUsed(false);
    const metrics = (await other.get('/metrics')).text;
    expect(metrics).toMatch(/^database_replica_used\{replica="[^"]+"\} 0$/m);
    expect(
      Number(/^database_replica_lag_seconds\{replica="[^"]+"\} (\S+)$/m.exec(metrics)![1]),
    ).toBeGreaterThan(0.1);
    expect(metrics).toMatch(/^database_connections\{state="waiting"\} 0$/m);
    await expectOwnWritesSeen(5);
    await replica.query('SELECT pg_wal_replay_resume()');
    await untilUsed(true);
    expect((await other.get('/metrics')).text).toMatch(
      /^database_replica_lag_seconds\{replica="[^"]+"\} 0\./m,
    );
    await expectOwnWritesSeen(5);
  });

  it('is not used while it is frozen, and no read fails', async () => {
    await untilUsed(true);
    const { path } = await one.create();
    replica.freeze();
    try {
      const responses = await Promise.all(Array.from({ length: 20 }, () => other.get(path)));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      await expectOwnWritesSeen(5);
      await untilUsed(false);
    } finally {
      replica.thaw();
    }
    await untilUsed(true);
    await expectOwnWritesSeen(5);
  });

  it('is not used after it was killed, and used again after its restart; no read fails', async () => {
    await untilUsed(true);
    const { path } = await one.create();
    const reading = { stopped: false };
    const statuses = new Set<number>();
    const readers = Array.from({ length: 4 }, async () => {
      while (!reading.stopped) statuses.add((await other.get(path)).status);
    });
    await until(() => statuses.size > 0);
    await replica.kill();
    await untilUsed(false);
    await expectOwnWritesSeen(5);
    await replica.startAgain();
    await untilUsed(true);
    reading.stopped = true;
    await Promise.all(readers);
    expect(statuses).toEqual(new Set([200]));
    await expectOwnWritesSeen(20);
  });

  it('that cannot be reached is logged once, with the reason', async () => {
    const nowhere = 'postgres://nobody:s3cret@127.0.0.1:1/posts';
    const service = await startService({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: nowhere });
    const warnings = () => service.log.filter(({ level, msg }) => level === 'warn' && /replica/.test(msg));
    await until(() => warnings().length > 0);
    await service.get('/posts/');
    await service.stop();
    expect(warnings().map(({ msg }) => msg)).toEqual([
      expect.stringMatching(
        /^The replica postgres:\/\/127\.0\.0\.1:1\/posts is not used: .*ECONNREFUSED.*\.$/,
      ),
    ]);
    expect(JSON.stringify(service.log)).not.toContain('s3cret');
  });

  it('is not used once it is promoted', async () => {
    await untilUsed(true);
    await replica.query('SELECT pg_promote()');
    await untilUsed(false);
    await expectOwnWritesSeen(3);
  });
});
