import { EventEmitter, once } from 'node:events';
import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANONYMOUS } from '../../src/http/request/author.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { expectTrueCopy } from '../support/copies.js';
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
const withoutReplica = await startService({ DATABASE_URL: database.url });

afterAll(async () => {
  await Promise.all([...instances, withoutReplica].map((instance) => instance.stop()));
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

const secondOf = (ms: number): number => Math.floor(ms / 1_000);
const dateOf = async (service: Service, target: string): Promise<number> =>
  Date.parse((await service.get(target)).headers['last-modified']!);

/** Creates a post in a transaction that commits when the function that is returned is called. */
async function createSlowly(): Promise<() => Promise<{ id: number }>> {
  const posts = withoutReplica.app.get(PostsService, { strict: false });
  const post = { title: 'Late', body: '', pubDate: '2026-01-01T00:00:00.000000Z' };
  const events = new EventEmitter();
  const isStored = once(events, 'stored');
  const created = posts.create(post, ANONYMOUS, {
    before: () => Promise.resolve(),
    after: async () => {
      events.emit('stored');
      await once(events, 'commit');
    },
  });
  await isStored;
  return () => {
    events.emit('commit');
    return created;
  };
}

/** Deletes a post as a program beside the service does, in the same way. */
async function deleteSlowly(id: number): Promise<() => Promise<void>> {
  let client = new Client(database.url);
  await client.connect();
  // A write waits for a transaction that has locked the counter of its connection, one of 64.
  const sharesCounter =
    'SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND pid % 64 = pg_backend_pid() % 64';
  while ((await client.query(sharesCounter)).rowCount! > 0) {
    await client.end();
    client = new Client(database.url);
    await client.connect();
  }
  await client.query('BEGIN');
  await client.query('DELETE FROM posts WHERE id = $1', [id]);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
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

  it('is a source for a copy, which is true after four writers', async () => {
    await untilUsed(true);
    await expectTrueCopy('ts', other, withoutReplica);
  });
});

describe('Last-Modified while a write runs', () => {
  it('steps back no further than that write, and misses nothing, on the primary and on a replica', async () => {
    await untilUsed(true);
    const { id } = await withoutReplica.create();
    await sleep(1_100);
    const startedAt = secondOf(Date.now());
    const commitPost = await createSlowly();
    const commitDeletion = await deleteSlowly(id);
    const begunAt = secondOf(Date.now());
    await sleep(2_500);
    await withoutReplica.create();
    await sleep(1_000);
    const services = [withoutReplica, other];
    const targets = ['/posts/', '/deleted-posts/'];
    const shown = services.flatMap((service) => targets.map((target) => dateOf(service, target)));
    const dates = await Promise.all(shown);
    for (const date of dates) {
      expect(secondOf(date)).toBeGreaterThanOrEqual(startedAt - 1);
      expect(secondOf(date)).toBeLessThanOrEqual(begunAt - 1);
    }
    const late = await commitPost();
    await commitDeletion();
    const since = new Date(Math.min(...dates)).toISOString();
    for (const service of services) {
      // Other tests have changed and deleted posts in the second before.
      const changes = `/posts/?modified_after=${since}&limit=1000`;
      const changed = (await service.get(changes)).json<PostJson[]>();
      expect(changed.map((post) => post.id)).toContain(late.id);
      const deleted = (await service.get(`/deleted-posts/?deleted_after=${since}&limit=1000`)).json<
        PostJson[]
      >();
      expect(deleted.map((post) => post.id)).toContain(id);
    }
    await sleep(1_100);
    for (const service of services)
      expect(secondOf(await dateOf(service, '/posts/'))).toBeGreaterThan(begunAt);
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
