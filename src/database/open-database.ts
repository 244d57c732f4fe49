import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { type Settings, StartFault } from '../settings/settings.js';
import type { Database } from './database.js';
import { MIGRATIONS } from './known-migrations.js';
import { writerOptions } from './data-source-options.js';
import { cannotOpen, PostgresDataSource } from './postgres/postgres-data-source.js';
import { postgresFault } from './postgres/postgres-fault.js';
import { inspectSqliteFile, isSqliteFile } from './sqlite/inspect-sqlite-file.js';
import { SqliteDataSource, SqliteFileInUse, SqliteServiceLock } from './sqlite/sqlite-data-source.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

/**
 * What an import changes of the index of titles does not fit into SQLite's default, 2 MiB, and would be read anew for each
 * batch: measured, half as many reads.
 */
const WRITER_CACHE_KIB = 16_384;

/** Makes a data source of the class that knows more of its database than TypeORM does. */
export function createDataSource(options: DataSourceOptions): SqliteDataSource | PostgresDataSource {
  return options.type === 'postgres' ? new PostgresDataSource(options) : new SqliteDataSource(options);
}

/** Opens the data source that writes, and brings the schema up to date unless `migrationsRun` is false. */
export async function openDataSource(options: DataSourceOptions): Promise<DataSource> {
  if (options.type === 'sqlite') return openSqliteFile(options);
  const dataSource = new PostgresDataSource(withoutMigrating(options));
  await dataSource.initialize();
  try {
    await dataSource.assertUsable(migrates(options));
    if (migrates(options)) await migrate(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error instanceof StartFault ? error : cannotOpen(postgresFault(error));
  }
  return dataSource;
}

/**
 * Opens the data source of a command, which may write while a service runs. On SQLite that is safe because a transaction
 * of either waits for one of the other (`BEGIN IMMEDIATE`), and the service sees commits of other processes; but only the
 * service may bring the schema up to date then.
 *
 * @throws StartFault when the service that runs is of an older version
 */
export async function openDataSourceBesideService(options: DataSourceOptions): Promise<DataSource> {
  if (options.type !== 'sqlite') return openDataSource(options);
  try {
    return await openSqliteFile(options, 0);
  } catch (error) {
    if (!(error instanceof SqliteFileInUse)) throw error;
    const isMissing = await inspectSqliteFile(options.database, true);
    if (!isMissing) return initialize(new SqliteDataSource(withoutMigrating(options)));
    throw new StartFault('The service that runs on this database is of an older version; restart it first.');
  }
}

/** @param lockWaitMs how long a service that has the file may take to let it go */
async function openSqliteFile(
  options: DataSourceOptions & { type: 'sqlite' },
  lockWaitMs?: number,
): Promise<DataSource> {
  // What is no file gets no lock beside it.
  await isSqliteFile(options.database);
  const lock = await SqliteServiceLock.acquire(options.database, lockWaitMs);
  let dataSource: SqliteDataSource | undefined;
  try {
    await inspectSqliteFile(options.database, migrates(options));
    dataSource = await initialize(new SqliteDataSource(withoutMigrating(options)));
    if (migrates(options)) await migrate(dataSource);
    dataSource.holds(lock);
    return dataSource;
  } catch (error) {
    await dataSource?.destroy();
    await lock.release();
    throw error;
  }
}

async function initialize(dataSource: SqliteDataSource): Promise<SqliteDataSource> {
  await dataSource.initialize();
  // FULL: a commit is on the disk before it is acknowledged. (WAL's default would be enough for consistency alone.)
  await dataSource.sqlite.execute('PRAGMA synchronous = FULL');
  await dataSource.sqlite.execute(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  return dataSource;
}

function migrates({ migrationsRun }: DataSourceOptions): boolean {
  return migrationsRun !== false;
}

/** TypeORM would migrate without the checks, and without the lock. */
function withoutMigrating<Options extends DataSourceOptions>(options: Options): Options {
  return { ...options, migrationsRun: false };
}

/** @param dataSource what {@link openDataSource} has opened with these settings */
export async function openDatabase(
  dataSource: DataSource,
  settings: Settings['database'],
  logger: Logger,
): Promise<Database> {
  if (settings.kind === 'sqlite') return SqliteDatabase.open(dataSource as SqliteDataSource);
  const { PostgresDatabase } = await import('./postgres/postgres-database.js');
  return new PostgresDatabase(dataSource as PostgresDataSource, settings, logger);
}

/** Names the lock, among all advisory locks of a PostgreSQL database. (It is "posts" in ASCII.) */
const MIGRATION_LOCK = 0x706f737473;

/**
 * How a transaction starts in which the migrations are not disturbed: it holds a lock before the list of migrations is
 * read, however long that takes.
 */
const BEGIN: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['BEGIN IMMEDIATE'],
  postgres: ['BEGIN', 'SET LOCAL statement_timeout = 0', `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`],
};

/**
 * Runs the migrations that are missing, all or none. Of several processes that start at once the first one migrates and
 * the others wait for it.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (const sql of BEGIN[dataSource.options.type]!) await runner.query(sql);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'none';
      await executor.executePendingMigrations();
      await runner.query('COMMIT');
    } catch (error) {
      await runner.query('ROLLBACK');
      throw error;
    }
  } finally {
    await runner.release();
  }
}

/** Makes a SQLite database in memory that has these migrations, to compare another one with. */
export async function createMigrated(names: readonly string[]): Promise<DataSource> {
  const dataSource = new DataSource({
    ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
    migrations: MIGRATIONS.filter(({ name }) => names.includes(name)),
  });
  await dataSource.initialize();
  await migrate(dataSource);
  return dataSource;
}
