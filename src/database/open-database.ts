import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type DataSource, type DataSourceOptions, MigrationExecutor } from 'typeorm';
import { type Settings, StartFault } from '../settings/settings.js';
import type { Database } from './database.js';
import { PostgresDataSource } from './postgres/postgres-data-source.js';
import { shownAddress } from '../settings/postgres-url.js';
import { SqliteDataSource } from './sqlite/sqlite-data-source.js';
import { SqliteDatabase } from './sqlite/sqlite-database.js';

/** Creates a data source of our subclass for the database. */
export function createDataSource(options: DataSourceOptions): SqliteDataSource | PostgresDataSource {
  return options.type === 'postgres' ? new PostgresDataSource(options) : new SqliteDataSource(options);
}

/**
 * Opens the data source that writes, and migrates the schema unless `migrationsRun` is false. (TypeORM's own run has
 * neither our checks nor the lock.)
 *
 * @param logger is told about migrations
 * @param isBeside whether a service may have the SQLite file open
 */
export async function openDataSource(
  options: DataSourceOptions,
  logger?: Logger,
  isBeside = false,
): Promise<DataSource> {
  const { migrationsRun: migrates = true } = options;
  const dataSource = createDataSource({ ...options, migrationsRun: false });
  try {
    await dataSource.open(migrates, isBeside);
    if (migrates) await migrate(dataSource, logger);
    return dataSource;
  } catch (error) {
    // It may not be open yet.
    await dataSource.destroy().catch(() => undefined);
    throw error instanceof StartFault ? error : await dataSource.startFaultOf(error);
  }
}

/**
 * Opens the data source of a command, which may write while a service runs. On SQLite this is safe: the transactions of
 * both processes wait for each other (`BEGIN IMMEDIATE`), and the service sees commits of other processes. But the command
 * must not migrate the schema.
 */
export function openDataSourceBesideService(options: DataSourceOptions): Promise<DataSource> {
  return openDataSource({ ...options, migrationsRun: false }, undefined, true);
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

/** Writers of an older version, which runs beside this one, take their locks in an order of their own. */
const MAX_ATTEMPTS = 5;
const MAX_PAUSE_MS = 500;

/** PostgreSQL's serialization_failure and deadlock_detected: nothing was changed, and the next try mostly works. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/**
 * Runs the missing migrations, all or none. When several processes start at once, the first one migrates and the others
 * wait.
 */
export async function migrate(dataSource: DataSource, logger?: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(dataSource, logger);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !CONFLICTS.has((error as { code?: unknown }).code)) throw error;
      logger?.warn('Writes of another service have stopped the migration; it is tried again.');
      await sleep(Math.random() * MAX_PAUSE_MS);
    }
  }
}

async function migrateOnce(dataSource: DataSource, logger?: Logger): Promise<void> {
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
      if (names.length === dataSource.migrations.length) logger?.info('The tables were created.');
      else if (names.length > 0) logger?.info(`The schema was migrated in ${ms} ms: ${names.join(', ')}.`);
    } catch (error) {
      await runner.query('ROLLBACK');
      throw error;
    }
  } finally {
    await runner.release();
  }
}
