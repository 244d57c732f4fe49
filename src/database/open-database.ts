import type { Logger } from 'pino';
import type { DataSourceOptions } from 'typeorm';
import { shownAddress } from '../settings/postgres-url.js';
import type { Settings } from '../settings/settings.js';
import type { OpenDataSource, OpenOptions } from './data-source.js';
import type { Database } from './database.js';
import { openPostgres } from './postgres/index.js';
import { openSqlite } from './sqlite/index.js';

/**
 * Opens a data source, on which the service or a command works. (TypeORM's own run of the migrations has neither our
 * checks nor the lock.)
 *
 * @throws ServerStarting when a later attempt may succeed
 * @throws StartFault when the service cannot use the database
 */
export function openDataSource(
  options: DataSourceOptions,
  openOptions: OpenOptions = {},
): Promise<OpenDataSource> {
  return options.type === 'postgres' ? openPostgres(options, openOptions) : openSqlite(options, openOptions);
}

const VERSION = {
  sqlite: `SELECT 'SQLite ' || sqlite_version() AS version`,
  postgres: `SELECT 'PostgreSQL ' || current_setting('server_version') AS version`,
};

/** Opens the service's database on a data source of these settings, and logs which one it is. */
export async function openDatabase(
  dataSource: OpenDataSource,
  settings: Settings['database'],
  logger: Logger,
): Promise<Database> {
  const address = settings.kind === 'sqlite' ? settings.path : shownAddress(settings.url);
  const [row] = await dataSource.query<{ version: string }[]>(VERSION[settings.kind]);
  logger.info(`Database: ${row!.version}, ${address}`);
  return dataSource.openDatabase();
}
