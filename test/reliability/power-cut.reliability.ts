import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SchemaDataSource } from '../../src/database/data-source.js';
import { writerOptions } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import type { PostJson } from '../support/posts.js';
import { ServiceProcess } from '../support/service-process.js';
import { countOn, executeOn, queryOn } from '../support/sqlite-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { randomShares } from '../support/properties.js';

const random = randomShares();

const ROUNDS = Number(process.env['POWER_CUTS'] ?? 4);
const ROUND_MS = 60_000;
const CLIENTS = 12;
const IMPORTED = 30_000;
/** About the duration of an import. */
const MAX_LIFE_MS = 1_500;
/** A key is the same after a restart on another port only when the links are the same. */
const environment = { PUBLIC_URL: 'http://posts.test' };

/** The last acknowledged state of a post: its body, or undefined when it is deleted. */
interface Known {
  readonly body: string | undefined;
  /** The number of acknowledged changes, including the creation. */
  readonly version: number;
  /** A change without an acknowledgement. It may have been stored. */
  attempt?: { readonly body: string | undefined };
}

const known = new Map<number, Known>();
/** Idempotency keys of creates without an acknowledgement, with their bodies. */
const uncertainCreates = new Map<string, string>();
/** The words of the imports, with their numbers of posts. */
const imports = new Map<string, number>();
const faults: string[] = [];

/** Creates, replaces and deletes posts until the service is gone. @param own the posts that only this client changes */
async function work(service: ServiceProcess, own: number[]): Promise<void> {
  for (;;) {
    const dice = random();
    const id = own[Math.floor(random() * own.length)];
    const body = `${randomUUID()} ${'x'.repeat(Math.floor(random() ** 4 * 50_000))}`;
    const json = { title: 'Power cut', body };
    if (dice < 0.6 || id === undefined) {
      const key = randomUUID();
      uncertainCreates.set(key, body);
      const response = await service.request('POST', '/posts/', {
        json,
        headers: { 'Idempotency-Key': key },
      });
      uncertainCreates.delete(key);
      if (response.status !== 201) continue;
      const created = response.json<PostJson>().id;
      known.set(created, { body, version: 1 });
      own.push(created);
    } else {
      const isDelete = dice > 0.85;
      const after = isDelete ? undefined : body;
      const post = known.get(id)!;
      post.attempt = { body: after };
      const target = `/posts/${id}/`;
      const response = await (isDelete ? service.delete(target) : service.put(target, json));
      if (response.status !== 200 && response.status !== 204) {
        delete post.attempt;
        continue;
      }
      known.set(id, { body: after, version: post.version + 1 });
      if (isDelete) own.splice(own.indexOf(id), 1);
    }
  }
}

/** Imports posts with a word of their own, which is not the beginning of another one. */
async function importPosts(service: ServiceProcess): Promise<void> {
  const word = `bulk${imports.size}x`;
  imports.set(word, 0);
  const line = `${JSON.stringify({ title: word, body: 'Some words of an import.' })}\n`;
  if ((await service.import(line.repeat(IMPORTED))).status === 201) imports.set(word, IMPORTED);
}

/** Notes the imports that are neither stored whole nor absent, or that the search finds in part. */
async function accountImports(service: ServiceProcess): Promise<void> {
  for (const [word, acknowledged] of imports) {
    const [listed, found] = [await service.count(`title=${word}`), await service.count(`search=${word}`)];
    if (![acknowledged, IMPORTED].includes(listed) || found !== listed)
      faults.push(`of the import ${word}, ${listed} posts are listed and ${found} are found`);
    imports.set(word, listed);
  }
}

interface History {
  readonly id: number;
  readonly revisions: number;
  readonly version: number;
  readonly deletedBy: number;
  readonly odd: number;
  readonly stored: number | null;
}

/** Notes the posts whose history is not theirs. @returns the versions in the history */
async function accountHistory(path: string): Promise<ReadonlyMap<number, number>> {
  // A revision can stand for many posts that were created together.
  const histories = await queryOn<History>(
    path,
    `WITH RECURSIVE revisions (id, last_id, number, is_deletion, is_odd) AS (
       SELECT post_id, last_post_id, number, action = 'deleted', (action IN ('created', 'imported')) <> (old_body IS NULL)
       FROM post_revisions WHERE number > 0
       UNION ALL
       SELECT id + 1, last_id, number, is_deletion, is_odd FROM revisions WHERE id < last_id
     )
     SELECT id, count(*) AS revisions, max(number) AS version, max(number * is_deletion) AS deletedBy,
       sum(is_odd) AS odd, (SELECT version FROM posts WHERE posts.id = revisions.id) AS stored
     FROM revisions GROUP BY id`,
  );
  for (const { id, revisions, version, deletedBy, odd, stored } of histories) {
    const isCurrent = deletedBy === 0 ? stored === version : stored === null && deletedBy === version;
    if (revisions !== version || odd > 0 || !isCurrent)
      faults.push(`post ${id} is not what its history says`);
  }
  const [listed, posts] = [histories.filter(({ stored }) => stored !== null).length, await countOn(path)];
  if (listed !== posts) faults.push(`the history has ${listed} of ${posts} posts`);
  return new Map(histories.map(({ id, version }) => [id, version]));
}

/** Compares the stored posts with all acknowledged changes. */
async function account(service: ServiceProcess, path: string): Promise<void> {
  await accountImports(service);
  expect(await queryOn(path, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  const difference = (what: string): string => `(SELECT count(*) FROM posts) - (SELECT ${what})`;
  const [missing] = await queryOn(
    path,
    `SELECT ${difference('posts FROM posts_counters')} AS counted, ${difference('count(*) FROM posts_search')} AS indexed`,
  );
  expect(missing).toEqual({ counted: 0, indexed: 0 });
  const versions = await accountHistory(path);
  const posts = await queryOn<PostJson>(path, 'SELECT id, body FROM posts');
  const stored = new Map(posts.map(({ id, body }) => [id, body]));
  for (const [id, { body, attempt, version }] of known) {
    const found = stored.get(id);
    const isAsAttempted = attempt !== undefined && found === attempt.body;
    if (found !== body && !isAsAttempted) faults.push(`post ${id} is lost or another`);
    // Each acknowledged change has exactly one revision.
    const revisions = versions.get(id) ?? 0;
    if (revisions !== version && !(isAsAttempted && revisions === version + 1))
      faults.push(`post ${id} was changed ${version} times and has ${revisions} revisions`);
    known.set(id, { body: found, version: revisions });
    stored.delete(id);
  }
  // The remaining posts were stored but never acknowledged. A retry with the same key must not create a second one.
  for (const [key, body] of uncertainCreates) {
    const sent = { json: { title: 'Power cut', body }, headers: { 'Idempotency-Key': key } };
    const response = await service.request('POST', '/posts/', sent);
    expect(response.status).toBe(201);
    const { id } = response.json<PostJson>();
    const isReplayed = response.headers['idempotency-replayed'] === 'true';
    if (isReplayed !== stored.has(id)) faults.push(`the retry of post ${id} made a second one`);
    stored.delete(id);
    known.set(id, { body, version: 1 });
  }
  uncertainCreates.clear();
  const others = [...stored.values()].filter((body) => body !== 'Some words of an import.');
  if (others.length > 0) faults.push(`${others.length} posts were never requested`);
}

describe('a power cut', () => {
  it(
    `loses no acknowledged write, and stores imports whole or not at all, ${ROUNDS} times`,
    async () => {
      const databasePath = join(temporaryFolder(), 'posts.sqlite');
      for (let round = 0; round < ROUNDS; round += 1) {
        const service = await ServiceProcess.start({ databasePath, environment });
        await account(service, databasePath);
        const ids = [...known].filter(([, { body }]) => body !== undefined).map(([id]) => id);
        const clients = Array.from({ length: CLIENTS }, (_, client) =>
          work(
            service,
            ids.filter((id) => id % CLIENTS === client),
          ),
        );
        // Beside an import, there are fewer of the other writes.
        const importing = round % 2 === 0 ? importPosts(service) : undefined;
        const ended = Promise.allSettled([importing, ...clients]);
        await sleep(100 + (MAX_LIFE_MS * (round + random())) / ROUNDS);
        await service.stop('SIGKILL');
        await ended;
      }
      const service = await ServiceProcess.start({ databasePath, environment });
      await account(service, databasePath);
      expect(await service.stop()).toBe(0);
      expect(faults).toEqual([]);
      expect(known.size).toBeGreaterThan(0);
    },
    ROUNDS * ROUND_MS + 60_000,
  );
});

const MIGRATIONS = Number(process.env['KILLED_MIGRATIONS'] ?? 3);
const OLD_POSTS = 40_000;
/** From before the first statement until the search index is rebuilt in the background. */
const MAX_MIGRATION_MS = 4_000;

/** A database in the schema of the service's first version, with posts. */
async function makeOldDatabase(path: string): Promise<void> {
  const options = writerOptions({ kind: 'sqlite', path });
  const [first] = options.migrations as unknown[];
  const dataSource = new SchemaDataSource({ ...options, migrations: [first] } as typeof options);
  await dataSource.initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  await executeOn(
    path,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${OLD_POSTS})
     INSERT INTO posts (title, pub_date, body, version)
     SELECT 'old' || n, '2026-11-20T14:40:00.000000', 'Some words that were there before.', 1 FROM numbers`,
  );
}

describe('a migration that is killed', () => {
  it(
    `is completed by the next start without losing a post, ${MIGRATIONS} times`,
    async () => {
      const folder = temporaryFolder();
      const old = join(folder, 'old.sqlite');
      await makeOldDatabase(old);
      for (let round = 0; round < MIGRATIONS; round += 1) {
        const databasePath = join(folder, `${round}.sqlite`);
        await copyFile(old, databasePath);
        // The second process is killed while it completes the migration of the first.
        for (const part of [round, (round * 7) % MIGRATIONS]) {
          const killed = ServiceProcess.spawn({ databasePath });
          await sleep((MAX_MIGRATION_MS * (part + random())) / MIGRATIONS);
          await killed.stop('SIGKILL');
        }
        const service = await ServiceProcess.start({ databasePath });
        // The search index may still be under construction.
        await until(async () => (await service.count('search=before')) === OLD_POSTS);
        expect([await service.count(), await service.stop()]).toEqual([OLD_POSTS, 0]);
        const [state] = await queryOn(
          databasePath,
          `SELECT (SELECT count(*) FROM posts) AS posts, (SELECT count(DISTINCT name) = count(*) FROM migrations) AS once,
             (SELECT integrity_check FROM pragma_integrity_check) AS integrity`,
        );
        expect(state).toEqual({ posts: OLD_POSTS, once: 1, integrity: 'ok' });
      }
    },
    MIGRATIONS * ROUND_MS,
  );
});
