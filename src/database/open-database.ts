import type { Logger } from 'pino';
import { type DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { type Settings, StartFault } from '../settings/settings.js';
import { DatabaseFault } from './database-fault.js';
import type { Database } from './database.js';
import { assertUsable } from './postgres/assert-usable.js';
import { cannotOpen, PostgresDataSource } from './postgres/postgres-data-source.js';
import { postgresFault } from './postgres/postgres-fault.js';
import { shownAddress } from './postgres/postgres-url.js';
import { assertWritable, inspectSqliteFile, hasContent } from './sqlite/inspect-sqlite-file.js';
import { lockSqliteFile, SqliteFileInUse } from './sqlite/service-lock.js';
import { SqliteDataSource } from './sqlite/sqlite-data-source.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';
import { assertNoLostDatabase, cannotOpen as cannotOpenFile } from './sqlite/sqlite-files.js';

/** Creates a data source of our subclass for the database. */
export function createDataSource(options: DataSourceOptions): SqliteDataSource | PostgresDataSource {
  return options.type === 'postgres' ? new PostgresDataSource(options) : new SqliteDataSource(options);
}

/**
 * Opens the data source that writes, and migrates the schema unless `migrationsRun` is false. (TypeORM's own run has
 * neither our checks nor the lock.)
 *
 * @param logger is told about migrations
 */
export async function openDataSource(options: DataSourceOptions, logger?: Logger): Promise<DataSource> {
  if (options.type === 'sqlite') return openSqliteFile(options, logger);
  const { migrationsRun: migrates = true } = options;
  const dataSource = createDataSource({ ...options, migrationsRun: false }) as PostgresDataSource;
  await dataSource.initialize();
  try {
    await assertUsable(dataSource, migrates);
    if (migrates) await migrate(dataSource, logger);
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
    return await openSqliteFile(options, undefined, 0);
  } catch (error) {
    if (!(error instanceof SqliteFileInUse)) throw error;
    const isMissing = await inspectSqliteFile(options.database, true);
    if (!isMissing) return new SqliteDataSource({ ...options, migrationsRun: false }).initialize();
    throw new StartFault('The service that runs on this database is of an older version; restart it first.');
  }
}

type SqliteOptions = DataSourceOptions & { type: 'sqlite' };

/** @param lockWaitMs how long to wait for another service to release the file */
async function openSqliteFile(
  options: SqliteOptions,
  logger?: Logger,
  lockWaitMs?: number,
): Promise<DataSource> {
  const { database: path } = options;
  // First, so that no lock file is created beside something that is not a file.
  if (await hasContent(path)) await assertWritable(path);
  await assertNoLostDatabase(path);
  const lock = await lockSqliteFile(path, lockWaitMs);
  try {
    const dataSource = await openLocked(options, logger);
    dataSource.lock = lock;
    return dataSource;
  } catch (error) {
    await lock.close();
    if (!(error instanceof DatabaseFault)) throw error;
    const { message } = error.cause as Error;
    throw await cannotOpenFile(path, error, `The database ${path} cannot be opened: ${message}.`);
  }
}

async function openLocked(
  { migrationsRun: migrates = true, ...options }: SqliteOptions,
  logger: Logger | undefined,
): Promise<SqliteDataSource> {
  await inspectSqliteFile(options.database, migrates);
  const dataSource = new SqliteDataSource(options);
  try {
    await dataSource.initialize();
    if (migrates) await migrate(dataSource, logger);
    return dataSource;
  } catch (error) {
    if (dataSource.isInitialized) await dataSource.destroy();
    throw error;
  }
}

const VERSION = {
  sqlite: `SELECT 'SQLite ' || sqlite_version() AS version`,
  postgres: `SELECT 'PostgreSQL ' || current_setting('server_version') AS version`,
};

/** @param dataSource opened by {@link openDataSource} with these settings */
export async function openDatabase(
  dataSource: DataSource,
  settings: Settings['database'],
  logger: Logger,
): Promise<Database> {
  const address = settings.kind === 'sqlite' ? settings.path : shownAddress(settings.url);
  const [row] = await dataSource.query<{ version: string }[]>(VERSION[settings.kind]);
  logger.info(`Database: ${row!.version}, ${address}`);
  if (settings.kind === 'sqlite') return SqliteDatabase.open(dataSource as SqliteDataSource);
  const { PostgresDatabase } = await import('./postgres/postgres-database.js');
  return new PostgresDatabase(dataSource as PostgresDataSource, settings);
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
export async function migrate(dataSource: DataSource, logger?: Logger): Promise<void> {
  const startedAt = performance.now();
  const runner = dataSource.createQueryRunner();
  try {
    for (const sql of BEGIN[dataSource.options.type]!) await runner.query(sql);
    try {
      const executor = new MigrationExecutor(dataSource, runner);
      executor.transaction = 'none';
      const names = (await executor.executePendingMigrations()).map(({ name }) => name);
      await runner.query('COMMIT');
      const ms = Math.round(performance.now() - startedAt);
      if (names.length > 0) logger?.info(`The schema was migrated in ${ms} ms: ${names.join(', ')}.`);
    } catch (error) {
      await runner.query('ROLLBACK');
      throw error;
    }
  } finally {
    await runner.release();
  }
}
