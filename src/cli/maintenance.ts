import { existsSync } from 'node:fs';
import 'reflect-metadata';
import type { DataSource } from 'typeorm';
import { loadSettings } from '../settings/load-settings.js';
import { readSettings, type Settings, SettingsError, StartFault } from '../settings/settings.js';
import { settingsOfExisting, withProgress } from './command-database.js';
import { assertUnchanged } from './backup-checksum.js';
import { countUnfitEntries, type Query, SQLITE_TERMS } from './check-search-index.js';
import { type Arguments, assertNoOthers, type Command, UsageError } from './command.js';

const HIDDEN = 'BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

/** A query that must return 0. */
interface Count {
  readonly fault: (count: number) => string;
  readonly sql: string;
}

const INDEX_COUNTS = (indexed: string): readonly Count[] => [
  {
    fault: (count) => `${count} posts are missing from the search index: run the command reindex.`,
    sql: `SELECT count(*) AS count FROM posts WHERE id NOT IN (${indexed}) AND id NOT ${HIDDEN}`,
  },
  {
    fault: (count) => `${count} posts in the search index do not exist: run the command reindex.`,
    sql: `SELECT count(*) AS count FROM (${indexed}) AS entry WHERE id NOT IN (SELECT id FROM posts) AND id NOT ${HIDDEN}`,
  },
];

const COUNTS: readonly Count[] = [
  {
    fault: (count) => `The counters of posts are wrong by ${count}.`,
    sql: `SELECT (SELECT sum(posts) FROM posts_counters) - (SELECT count(*) FROM posts WHERE id NOT ${HIDDEN}) AS count`,
  },
];

/** Migrates the schema, for a service whose database role must not (DATABASE_MIGRATE=off). */
export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the schema of the database up to date, and exit. On SQLite the service must not run.',

  async run(_args, print) {
    const { openDataSource, writerOptions } = await databaseModules();
    await (await openDataSource(writerOptions(loadSettings().database))).destroy();
    print('The schema is up to date.');
  },
};

/** Rebuilds the search index. If it is interrupted, the index is still correct for every post. */
export const reindex: Command = {
  name: 'reindex',
  usage: '',
  summary: 'Rebuild the search index. On SQLite the service must not run.',

  async run(_args, print) {
    const settings = settingsOfExisting();
    const { DatabaseAccess } = await import('./database-access.js');
    await withProgress(await DatabaseAccess.open(settings), (posts, progress) =>
      posts.reindex((done, total) =>
        progress.show({
          label: 'Indexing',
          posts: done,
          fraction: total === 0 ? 1 : Math.min(1, done / total),
        }),
      ),
    );
    print('The search index was rebuilt.');
  },
};

/** Reads the whole database and reports its faults. */
export const check: Command = {
  name: 'check',
  usage: '',
  summary:
    'Verify the whole database and report its faults: damaged pages (SQLite), a schema that differs from the migrations, a ' +
    'search index or counters that do not match the posts. It changes nothing, and the service may run.',

  async run(_args, print) {
    const { database } = settingsOfExisting();
    const { faults, isIndexed } = await (database.kind === 'sqlite'
      ? checkSqlite(database.path)
      : checkPostgres(database));
    if (faults.length > 0) throw new Error(faults.join('\n'));
    print('The database is sound.');
    if (!isIndexed) print('It has no current search index; the service makes it when it starts.');
  },
};

/** What `check` has found, and whether the search index is of this version. */
interface Findings {
  readonly faults: string[];
  readonly isIndexed: boolean;
}

async function checkSqlite(path: string): Promise<Findings> {
  const { verifySqliteFile } = await import('../database/sqlite/verify-sqlite-file.js');
  const { SqliteConnection } = await import('../database/sqlite/sqlite-connection.js');
  await assertUnchanged(path);
  await verifySqliteFile(path);
  const handle = await SqliteConnection.open(path);
  try {
    for (const sql of [SQLITE_TERMS, 'PRAGMA query_only = ON', 'BEGIN']) await handle.execute(sql);
    return await findFaults('sqlite', 'SELECT id FROM posts_search_docsize', (sql) => handle.query(sql));
  } finally {
    await handle.close();
  }
}

async function checkPostgres(database: Settings['database']): Promise<Findings> {
  const { comparePostgresSchema } = await import('../database/postgres/compare-schema.js');
  const dataSource = await openBesideService(database);
  try {
    await assertOwnsTables(dataSource);
    const differences = await comparePostgresSchema(dataSource);
    const runner = dataSource.createQueryRunner();
    await runner.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const indexed = 'SELECT DISTINCT post_id AS id FROM posts_search';
    try {
      const found = await findFaults('postgres', indexed, (sql) => runner.query(sql));
      return { ...found, faults: [...differences, ...found.faults] };
    } finally {
      await runner.query('ROLLBACK');
      await runner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

async function findFaults(kind: 'sqlite' | 'postgres', indexed: string, query: Query): Promise<Findings> {
  const unfit = await countUnfitEntries(kind, query, HIDDEN);
  const isIndexed = unfit !== undefined;
  const faults: string[] = [];
  for (const { sql, fault } of [...(isIndexed ? INDEX_COUNTS(indexed) : []), ...COUNTS]) {
    const [row] = await query<{ count: number | string }>(sql);
    const count = Number(row!.count);
    if (count !== 0) faults.push(fault(count));
  }
  if (unfit)
    faults.push(
      `${unfit} posts have other words than the search index has for them: run the command reindex.`,
    );
  return { faults, isIndexed };
}

/** Returns the space of deleted rows to the file system. */
export const compact: Command = {
  name: 'compact',
  usage: '',
  summary:
    'Return the space of deleted rows to the file system. On SQLite the service must not run; on PostgreSQL its ' +
    'requests wait until the end.',

  async run(_args, print) {
    const { database } = settingsOfExisting();
    const { openDataSource, writerOptions } = await databaseModules();
    const dataSource =
      database.kind === 'sqlite'
        ? await openDataSource(writerOptions(database))
        : await openBesideService(database);
    try {
      const before = await sizeOf(dataSource);
      if (database.kind === 'postgres') await assertOwnsTables(dataSource);
      await dataSource.query('VACUUM');
      if (database.kind === 'postgres')
        for (const table of ['posts', 'posts_search', 'post_revisions', 'idempotency_keys'])
          await dataSource.query(`VACUUM (FULL, ANALYZE) ${table}`);
      const after = await sizeOf(dataSource);
      print(`Size of the database: ${mebibytes(after)} MiB, before ${mebibytes(before)} MiB.`);
    } finally {
      await dataSource.destroy();
    }
  },
};

/** Loads TypeORM, which slows down every other command. */
async function databaseModules() {
  const { openDataSource } = await import('../database/open-database.js');
  const { writerOptions } = await import('../database/data-source-options.js');
  return { openDataSource, writerOptions };
}

/** Opens the database without a statement timeout and without migrations. */
async function openBesideService(database: Settings['database']): Promise<DataSource> {
  const { openDataSource, writerOptions } = await databaseModules();
  const patient = database.kind === 'postgres' ? { ...database, statementTimeoutMs: 0 } : database;
  return openDataSource({ ...writerOptions(patient), migrationsRun: false });
}

/**
 * The role must own the tables: PostgreSQL lets no other role make the schema that `check` compares with, and lets VACUUM
 * pass over tables of others with a warning.
 *
 * @throws StartFault
 */
async function assertOwnsTables(dataSource: DataSource): Promise<void> {
  const [posts] = await dataSource.query<{ isOwn: boolean }[]>(
    `SELECT pg_has_role(relowner, 'USAGE') AS "isOwn" FROM pg_class WHERE oid = CAST('posts' AS regclass)`,
  );
  if (!posts!.isOwn)
    throw new StartFault('The command needs the role that owns the tables: set its DATABASE_URL.');
}

async function sizeOf(dataSource: DataSource): Promise<number> {
  const sql =
    dataSource.options.type === 'postgres'
      ? 'SELECT pg_database_size(current_database()) AS size'
      : 'SELECT page_count * page_size AS size FROM pragma_page_count(), pragma_page_size()';
  return Number((await dataSource.query<{ size: number | string }[]>(sql))[0]!.size);
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

/** Copies all data of a service from SQLite to PostgreSQL. */
export const move: Command = {
  name: 'move',
  usage: '--from sqlite:<file> --to postgres://user:password@host:port/database',
  summary: 'Copy everything to an empty PostgreSQL database. Stop the service first.',

  options: ['from', 'to'],

  async run(args, print) {
    const { from, to } = readDatabases(args);
    const { moveToPostgres } = await import('../database/move-to-postgres.js');
    for (const { table, rows } of await moveToPostgres(from, to)) print(`${table}: ${rows}`);
    print('Everything was moved. Start the service with the new DATABASE_URL.');
  },
};

function readDatabases(args: Arguments): Record<'from' | 'to', Settings['database']> {
  assertNoOthers(args);
  const from = readDatabase('--from', args.options['from']);
  const to = readDatabase('--to', args.options['to']);
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new UsageError('--from must be a SQLite database, --to a PostgreSQL database.');
  if (!existsSync(from.path)) throw new UsageError(`--from: there is no file ${from.path}`);
  return { from, to };
}

function readDatabase(option: string, url: string | undefined): Settings['database'] {
  if (url === undefined) throw new UsageError(`${option} is missing.`);
  try {
    return readSettings({ DATABASE_URL: url }, { isTerminal: false }).database;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UsageError(error.faults.map((fault) => fault.replace('DATABASE_URL', option)).join('\n'));
  }
}
