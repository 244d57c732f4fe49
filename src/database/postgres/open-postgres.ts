import type { Logger } from 'pino';
import type { DataSourceOptions } from 'typeorm';
import { StartFault } from '../../settings/settings.js';
import { migrate } from '../migrate.js';
import { assertUsable } from './assert-usable.js';
import { PostgresDataSource } from './postgres-data-source.js';
import { postgresFault } from './postgres-fault.js';

/**
 * Connects to a PostgreSQL server, unless the service cannot use the database. It runs the missing migrations, unless
 * `migrationsRun` is false.
 *
 * @param logger is told about migrations
 * @throws StartFault
 */
export function openPostgres(options: DataSourceOptions, logger?: Logger): Promise<PostgresDataSource> {
  const { migrationsRun: migrates = true } = options;
  return connect(options, migrates, async (dataSource) => {
    if (migrates) await migrate(dataSource, logger);
    return dataSource;
  });
}

/** Reads something of a database that the service could use, or could migrate, and disconnects. @throws StartFault */
export function readPostgres<Result>(
  options: DataSourceOptions,
  read: (dataSource: PostgresDataSource) => Promise<Result>,
): Promise<Result> {
  return connect(options, true, async (dataSource) => {
    const result = await read(dataSource);
    await dataSource.destroy();
    return result;
  });
}

/** @param migrates whether missing migrations will be run @param work after a fault, it is disconnected */
async function connect<Result>(
  options: DataSourceOptions,
  migrates: boolean,
  work: (dataSource: PostgresDataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = new PostgresDataSource({ ...options, migrationsRun: false });
  try {
    await dataSource.initialize();
    await assertUsable(dataSource, migrates);
    return await work(dataSource);
  } catch (fault) {
    // It may not be connected yet.
    await dataSource.destroy().catch(() => undefined);
    throw fault instanceof StartFault ? fault : startFaultOf(fault);
  }
}

/** Uses the message of the server or of the operating system. Neither contains the password. */
function startFaultOf(fault: unknown): StartFault {
  const { cause } = postgresFault(fault);
  const { message, code } = cause as { message: string; code?: string };
  const hint = /startup parameter/.test(message)
    ? ' In pgbouncer.ini, set ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout.'
    : '';
  // When a host has several addresses, the connection error has no message.
  return new StartFault(`The database cannot be opened: ${message || code}.${hint}`, { cause });
}
