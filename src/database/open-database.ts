import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { type Settings, StartFault } from '../settings/settings.js';
import { writerOptions } from './data-source-options.js';
import type { Database } from './database.js';
import { MIGRATIONS } from './known-migrations.js';
import { cannotOpen, PostgresDataSource } from './postgres/postgres-data-source.js';
import { postgresFault } from './postgres/postgres-fault.js';
import { assertWritable, inspectSqliteFile, isSqliteFile } from './sqlite/inspect-sqlite-file.js';
import { SqliteDataSource, SqliteFileInUse, SqliteServiceLock } from './sqlite/sqlite-data-source.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

/**
 * With SQLite's default cache of 2 MiB, each batch of an import reads the changed pages of the title index again.
 * Measured, this size halves the reads.
 */
const WRITER_CACHE_KIB = 16_384;

/** Creates a data source of our subclass for the database. */
export function createDataSource(options: DataSourceOptions): SqliteDataSource | PostgresDataSource {
  return options.type === 'postgres' ? new PostgresDataSource(options) : new SqliteDataSource(options);
}

/** Opens the data source that writes, and migrates the schema unless `migrationsRun` is false. */
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
 * Opens the data source of a command, which may write while a service runs. On SQLite this is safe: the transactions of
 * both processes wait for each other (`BEGIN IMMEDIATE`), and the service sees commits of other processes. But while a
 * service runs, the command must not migrate the schema.
 *
 * @throws StartFault when the running service is of an older version
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

/** @param lockWaitMs how long to wait for another service to release the file */
async function openSqliteFile(
  options: DataSourceOptions & { type: 'sqlite' },
  lockWaitMs?: number,
): Promise<DataSource> {
  // First, so that no lock file is created beside something that is not a SQLite file.
  if (await isSqliteFile(options.database)) await assertWritable(options.database);
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
  // FULL: a commit is on the disk before it is acknowledged. (WAL's default protects only consistency.)
  await dataSource.sqlite.execute('PRAGMA synchronous = FULL');
  await dataSource.sqlite.execute(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  return dataSource;
}

function migrates({ migrationsRun }: DataSourceOptions): boolean {
  return migrationsRun !== false;
}

/** TypeORM's own migration run has neither our checks nor the lock. */
function withoutMigrating<Options extends DataSourceOptions>(options: Options): Options {
  return { ...options, migrationsRun: false };
}

/** @param dataSource opened by {@link openDataSource} with these settings */
export async function openDatabase(
  dataSource: DataSource,
  settings: Settings['database'],
  logger: Logger,
): Promise<Database> {
  if (settings.kind === 'sqlite') return SqliteDatabase.open(dataSource as SqliteDataSource);
  const { PostgresDatabase } = await import('./postgres/postgres-database.js');
  return new PostgresDatabase(dataSource as PostgresDataSource, settings, logger);
}

/** The key of the advisory lock in PostgreSQL ("posts" in ASCII). */
const MIGRATION_LOCK = 0x706f737473;

/**
 * Begins the transaction of the migrations. It takes a lock before the list of migrations is read, with no limit on the
 * wait.
 */
const BEGIN: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['BEGIN IMMEDIATE'],
  postgres: ['BEGIN', 'SET LOCAL statement_timeout = 0', `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`],
};

/**
 * Runs the missing migrations, all or none. When several processes start at once, the first one migrates and the others
 * wait.
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

/** Creates an in-memory SQLite database with these migrations, as a reference for a comparison. */
export async function createMigrated(names: readonly string[]): Promise<DataSource> {
  const dataSource = new DataSource({
    ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
    migrations: MIGRATIONS.filter(({ name }) => names.includes(name)),
  });
  await dataSource.initialize();
  await migrate(dataSource);
  return dataSource;
}
