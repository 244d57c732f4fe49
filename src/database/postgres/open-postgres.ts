import type { DataSourceOptions } from 'typeorm';
import { StartFault } from '../../settings/settings.js';
import { type OpenOptions, ServerStarting } from '../data-source.js';
import { migrate } from '../migrate.js';
import { assertUsable } from './assert-usable.js';
import { PostgresDataSource } from './postgres-data-source.js';
import { isStarting, postgresFault } from './postgres-fault.js';

/**
 * Connects to a PostgreSQL server, unless the service cannot use the database.
 *
 * @throws ServerStarting when a later attempt may succeed
 * @throws StartFault
 */
export async function openPostgres(
  options: DataSourceOptions,
  { logger, purpose = 'serve' }: OpenOptions,
): Promise<PostgresDataSource> {
  const migrates = purpose === 'serve' && (options.migrationsRun ?? true);
  const dataSource = new PostgresDataSource({ ...options, migrationsRun: false });
  try {
    await dataSource.initialize();
    await assertUsable(dataSource, migrates || purpose === 'inspect');
    if (migrates) await migrate(dataSource, logger);
    return dataSource;
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
  const sentence = `The database cannot be opened: ${message || code}.${hint}`;
  return isStarting(cause) ? new ServerStarting(sentence, { cause }) : new StartFault(sentence, { cause });
}
