import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { ANONYMOUS } from '../../src/http/request/author.js';
import { PostsService } from '../../src/posts/posts.service.js';
import { PostgresServer } from '../support/postgres-server.js';
import { expectTrueCopy } from '../support/copies.js';
import { freshPostgresDatabase } from '../support/database.js';
import type { PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

const primary = await PostgresServer.start();
const database = await freshPostgresDatabase(primary.url());
const replica = await primary.addReplica();
const replicaUrl = replica.url(new URL(database.url).pathname.slice(1));
const writer = await startService({ DATABASE_URL: database.url });
const reader = await startService({ DATABASE_URL: database.url, DATABASE_REPLICA_URLS: replicaUrl });

afterAll(async () => {
  await Promise.all([writer.stop(), reader.stop()]);
  await replica.remove();
  await primary.remove();
});

beforeAll(() => until(() => reader.log.some(({ msg }) => msg.endsWith('is used for reads.'))));

const secondOf = (ms: number): number => Math.floor(ms / 1_000);
const dateOf = async (service: Service, target: string): Promise<number> =>
  Date.parse((await service.get(target)).headers['last-modified']!);

/** Creates a post in a transaction that commits when the function that is returned is called. */
async function createSlowly(): Promise<() => Promise<{ id: number }>> {
  let commit: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (commit = resolve));
  const isStored = new Promise<void>((stored) => {
    const posts = writer.app.get(PostsService, { strict: false });
    const post = { title: 'Late', body: '', pubDate: '2026-01-01T00:00:00.000000Z' };
    const before = (): Promise<void> => Promise.resolve();
    const after = (): Promise<void> => {
      stored();
      return gate;
    };
    created = posts.create(post, ANONYMOUS, { before, after });
  });
  await isStored;
  return () => {
    commit();
    return created!;
  };
}
let created: Promise<{ id: number }> | undefined;

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

describe('Last-Modified while a write runs', () => {
  it('steps back no further than that write, and misses nothing, on the primary and on a replica', async () => {
    const { id } = await writer.create();
    await sleep(1_100);
    const startedAt = secondOf(Date.now());
    const commitPost = await createSlowly();
    const commitDeletion = await deleteSlowly(id);
    const begunAt = secondOf(Date.now());
    await sleep(2_500);
    await writer.create();
    await sleep(1_000);
    const services = [writer, reader];
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
      const changed = (await service.get(`/posts/?modified_after=${since}`)).json<PostJson[]>();
      expect(changed.map((post) => post.id)).toContain(late.id);
      const deleted = (await service.get(`/deleted-posts/?deleted_after=${since}`)).json<PostJson[]>();
      expect(deleted.map((post) => post.id)).toEqual([id]);
    }
    await sleep(1_100);
    for (const service of services)
      expect(secondOf(await dateOf(service, '/posts/'))).toBeGreaterThan(begunAt);
  });
});

describe('a copy that is read from a replica', () => {
  it('is true after four writers', () => expectTrueCopy('ts', reader, writer));
});
