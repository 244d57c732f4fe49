import type { Logger } from 'pino';
import { type DataSourceOptions, QueryFailedError } from 'typeorm';
import { DatabaseFault } from '../database-fault.js';
import { migrate } from '../migrate.js';
import { assertWritable, hasContent, inspectSqliteFile } from './inspect-sqlite-file.js';
import { lockSqliteFile } from './service-lock.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { assertNoLostDatabase, cannotOpen, createForOwner } from './sqlite-files.js';

interface OpenOptions {
  /** Is told about migrations. */
  readonly logger?: Logger | undefined;
  /** Whether a service may have the file open. */
  readonly isBeside?: boolean;
}

/**
 * Opens a SQLite file, unless another service has it, or this one cannot use it. It runs the missing migrations, unless
 * `migrationsRun` is false.
 *
 * @throws StartFault
 */
export async function openSqlite(
  options: DataSourceOptions,
  { logger, isBeside = false }: OpenOptions,
): Promise<SqliteDataSource> {
  const { migrationsRun: migrates = true } = options;
  const dataSource = new SqliteDataSource({ ...options, migrationsRun: false });
  const { path } = dataSource;
  try {
    // First, so that no lock file is created beside something that is not a file.
    if (await hasContent(path)) await assertWritable(path);
    await assertNoLostDatabase(path);
    if (!isBeside) dataSource.lock = await lockSqliteFile(path);
    await inspectSqliteFile(path, migrates);
    await createForOwner(path);
    await dataSource.initialize();
    if (migrates) await migrate(dataSource, logger);
    return dataSource;
  } catch (fault) {
    // It may not be open yet.
    await dataSource.destroy().catch(() => undefined);
    if (!(fault instanceof DatabaseFault || isFaultOfDisk(fault))) throw fault;
    const { message } = fault instanceof DatabaseFault ? (fault.cause as Error) : fault;
    throw await cannotOpen(path, fault, `The database ${path} cannot be opened: ${message}.`);
  }
}

/** Whether it is an error of TypeORM's own statements, such as those of a migration, that the disk has caused. */
function isFaultOfDisk(fault: unknown): fault is QueryFailedError {
  if (!(fault instanceof QueryFailedError)) return false;
  const { code } = fault.driverError as { code?: string };
  return code === 'SQLITE_FULL' || code === 'SQLITE_IOERR';
}
