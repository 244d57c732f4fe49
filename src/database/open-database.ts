import type { Logger } from 'pino';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { shownAddress } from '../settings/postgres-url.js';
import type { Settings } from '../settings/settings.js';
import type { Database } from './database.js';
import { openPostgres } from './postgres/open-postgres.js';
import { PostgresDataSource } from './postgres/postgres-data-source.js';
import { openSqlite } from './sqlite/open-sqlite.js';
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
 * @throws StartFault when the service cannot use the database
 */
export function openDataSource(options: DataSourceOptions, logger?: Logger): Promise<DataSource> {
  return options.type === 'postgres' ? openPostgres(options, logger) : openSqlite(options, { logger });
}

/**
 * Opens the data source of a command, which may write while a service runs. On SQLite this is safe: the transactions of
 * both processes wait for each other (`BEGIN IMMEDIATE`), and the service sees commits of other processes. But the command
 * must not migrate the schema.
 */
export function openDataSourceBesideService(options: DataSourceOptions): Promise<DataSource> {
  const migrationsRun = false;
  return options.type === 'postgres'
    ? openPostgres({ ...options, migrationsRun })
    : openSqlite({ ...options, migrationsRun }, { isBeside: true });
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
