import type { INestApplicationContext } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { Database } from '../database/database.js';
import { moveToPostgres } from '../database/move-to-postgres.js';
import { PostsService } from '../posts/posts.service.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { loadSettings } from '../settings/load-settings.js';
import { readSettings, type Settings, StartFault } from '../settings/settings.js';
import { POSTS, print, settingsOfExisting, withContext } from './command-context.js';
import { Progress } from './progress.js';

/** Migrates the schema, for a service whose database role must not (DATABASE_MIGRATE=off). */
export async function migrate(): Promise<void> {
  await withContext({ ...loadSettings(), migratesDatabase: true }, [], () => Promise.resolve());
  print('The schema is up to date.');
}

/** Rebuilds the search index. If it is interrupted, the index is still correct for every post. */
export async function reindex(): Promise<void> {
  const progress = new Progress();
  await withContext(settingsOfExisting(), POSTS, async (context) => {
    const total = await context.get(PostsService, { strict: false }).count();
    const index = context.get(SearchIndexRepository, { strict: false });
    await index.rebuild((posts) => progress.show('Indexing', Math.min(1, posts / total)));
  }).finally(() => progress.end());
  print('The search index was rebuilt.');
}

const LARGE_TABLES = ['posts', 'posts_search', 'post_revisions', 'idempotency_keys'];

/** Returns the space of deleted rows to the file system. */
export async function compact(): Promise<void> {
  const settings = settingsOfExisting();
  const isPostgres = settings.database.kind === 'postgres';
  const compactAll = async (context: INestApplicationContext): Promise<void> => {
    const [database, dataSource] = [context.get(Database), context.get(DataSource)];
    const before = await database.size();
    await dataSource.query('VACUUM');
    // Without FULL, PostgreSQL only marks space as free.
    for (const table of isPostgres ? LARGE_TABLES : [])
      await dataSource.query(`VACUUM (FULL, ANALYZE) ${table}`);
    print(`Size of the database: ${mebibytes(await database.size())} MiB, before ${mebibytes(before)} MiB.`);
  };
  await (isPostgres ? withPostgres(settings, compactAll) : withContext(settings, [], compactAll));
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

/**
 * Opens PostgreSQL beside the service: without a limit on the time of a statement, and without migrations. The role must
 * own the tables: PostgreSQL lets no other role make the schema that `check` compares with, and lets VACUUM pass over
 * tables of others with a warning.
 *
 * @throws StartFault when it does not
 */
export function withPostgres<Result>(
  settings: Settings,
  work: (context: INestApplicationContext) => Promise<Result>,
): Promise<Result> {
  const database = { ...settings.database, statementTimeoutMs: 0 };
  return withContext({ ...settings, database, migratesDatabase: false }, [], async (context) => {
    const [posts] = await context
      .get(DataSource)
      .query<{ isOwn: boolean }[]>(
        `SELECT pg_has_role(relowner, 'USAGE') AS "isOwn" FROM pg_class WHERE oid = CAST('posts' AS regclass)`,
      );
    if (!posts!.isOwn)
      throw new StartFault('The command needs the role that owns the tables: set its DATABASE_URL.');
    return work(context);
  });
}

/** Copies all data of a service from SQLite to PostgreSQL. It opens both databases itself; a context has one. */
export async function move(source: string, target: string): Promise<void> {
  const [from, to] = [readDatabase(source), readDatabase(target)];
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new StartFault('--from must be a SQLite database, --to a PostgreSQL database.');
  if (!existsSync(from.path)) throw new StartFault(`--from: there is no file ${from.path}`);
  for (const { table, rows } of await moveToPostgres(from, to)) print(`${table}: ${rows}`);
  print('Everything was moved. Start the service with the new DATABASE_URL.');
}

/** @throws SettingsError */
function readDatabase(url: string): Settings['database'] {
  return readSettings({ DATABASE_URL: url }, { isTerminal: false }).database;
}
