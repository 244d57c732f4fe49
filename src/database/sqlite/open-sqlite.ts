import sqlite3 from 'sqlite3';
import { type DataSourceOptions, QueryFailedError } from 'typeorm';
import type { OpenOptions } from '../data-source.js';
import { DatabaseFault } from '../database-fault.js';
import { migrate } from '../migrate.js';
import { assertWritable, hasContent, inspectSqliteFile } from './inspect-sqlite-file.js';
import { lockSqliteFile } from './service-lock.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { assertNoLostDatabase, cannotOpen, createForOwner } from './sqlite-files.js';

const READ_ONLY = { flags: sqlite3.OPEN_READONLY, enableWAL: false };

/**
 * Opens a SQLite file, unless another service has it, or this one cannot use it.
 *
 * @throws StartFault
 */
export async function openSqlite(
  options: DataSourceOptions,
  openOptions: OpenOptions,
): Promise<SqliteDataSource> {
  const isInspection = openOptions.purpose === 'inspect';
  const dataSource = new SqliteDataSource({
    ...options,
    ...(isInspection ? READ_ONLY : {}),
    migrationsRun: false,
  } as DataSourceOptions);
  const { path } = dataSource;
  try {
    if (isInspection) await openToInspect(dataSource);
    else await openToWrite(dataSource, options.migrationsRun ?? true, openOptions);
    return dataSource;
  } catch (fault) {
    // It may not be open yet.
    await dataSource.destroy().catch(() => undefined);
    if (!(fault instanceof DatabaseFault || isFaultOfDisk(fault))) throw fault;
    const { message } = fault instanceof DatabaseFault ? (fault.cause as Error) : fault;
    throw await cannotOpen(path, fault, `The database ${path} cannot be opened: ${message}.`);
  }
}

async function openToInspect(dataSource: SqliteDataSource): Promise<void> {
  await inspectSqliteFile(dataSource.path, true);
  await dataSource.initialize();
}

async function openToWrite(
  dataSource: SqliteDataSource,
  migrationsRun: boolean,
  { logger, purpose = 'serve' }: OpenOptions,
): Promise<void> {
  const { path } = dataSource;
  const isService = purpose === 'serve';
  const migrates = isService && migrationsRun;
  // First, so that no lock file is created beside something that is not a file.
  if (await hasContent(path)) await assertWritable(path);
  await assertNoLostDatabase(path);
  if (isService) dataSource.lock = await lockSqliteFile(path);
  await inspectSqliteFile(path, migrates);
  await createForOwner(path);
  await dataSource.initialize();
  if (migrates) await migrate(dataSource, logger);
}

/** Whether it is an error of TypeORM's own statements, such as those of a migration, that the disk has caused. */
function isFaultOfDisk(fault: unknown): fault is QueryFailedError {
  if (!(fault instanceof QueryFailedError)) return false;
  const { code } = fault.driverError as { code?: string };
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR';
}
