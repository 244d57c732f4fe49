import { access, constants, stat } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { StartFault } from '../../settings/settings.js';
import { assertOurMigrations } from '../migrations.js';
import { sqliteCode, SqliteConnection } from './sqlite-connection.js';

/**
 * A full check reads some hundred megabytes a second, so only the first part of a larger file is checked. The header,
 * schema and first pages are enough to detect a file that was truncated, or copied while it was written. Damage
 * elsewhere is found by the query that reads it, and by the commands `check` and `backup`, which read every page.
 */
const CHECK_TIMEOUT_MS = 300;

/**
 * Checks a SQLite file through a read-only connection before the service opens it. A file that the service cannot use
 * stays unchanged.
 *
 * @param migrates whether missing migrations will be run
 * @returns whether some are missing
 * @throws StartFault
 */
export async function inspectSqliteFile(path: string, migrates: boolean): Promise<boolean> {
  const shown = `The database ${path}`;
  // SQLite treats an empty file as an empty database.
  if (!(await hasContent(path))) return assertOurMigrations(shown, [], migrates);
  return readSqliteFile(path, path, '; restore a backup', async (handle) => {
    const timer = setTimeout(() => handle.interrupt(), CHECK_TIMEOUT_MS);
    await assertSound(handle, 'quick_check')
      .catch((error: unknown) => {
        if (sqliteCode(error) !== 'SQLITE_INTERRUPT') throw error;
      })
      .finally(() => clearTimeout(timer));
    return assertOurMigrations(shown, await findMigrations(handle, shown), migrates);
  });
}

/**
 * Reads a file through a read-only connection.
 *
 * @param shownPath the file's name in a fault
 * @param hint the end of the sentence about damage
 * @throws StartFault when the file is damaged, or no SQLite database
 */
export async function readSqliteFile<Result>(
  path: string,
  shownPath: string,
  hint: string,
  read: (handle: SqliteConnection) => Promise<Result>,
): Promise<Result> {
  const handle = await SqliteConnection.open(path, sqlite3.OPEN_READONLY);
  try {
    return await read(handle);
  } catch (cause) {
    if (sqliteCode(cause) === 'SQLITE_NOTADB')
      throw new StartFault(`${shownPath} is not a SQLite database.`, { cause });
    if (cause instanceof Damage || DAMAGES.has(sqliteCode(cause)))
      throw new StartFault(`The database ${shownPath} is damaged${hint}.`, { cause });
    throw cause;
  } finally {
    await handle.close();
  }
}

/** SQLite's check of a file has found something. */
class Damage extends Error {}
/** Any other fault, such as that of a full disk, says nothing about the file. */
const DAMAGES = new Set<string | undefined>(['SQLITE_CORRUPT', 'SQLITE_ERROR']);

export async function assertSound(
  handle: SqliteConnection,
  check: 'quick_check' | 'integrity_check',
): Promise<void> {
  const [row] = await handle.query<Record<string, string>>(`PRAGMA ${check}(1)`);
  if (row?.[check] !== 'ok') throw new Damage(row?.[check]);
}

/** @returns false when the file is missing or empty @throws StartFault when it is something else than a file */
export async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // Opening a FIFO would wait for a writer.
  if (stats && !stats.isFile()) throw new StartFault(`${path} is not a file; a SQLite database is one.`);
  return stats !== undefined && stats.size > 0;
}

/** @throws StartFault when this process may only read the database */
export async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (cause) {
    throw new StartFault(`The database ${path} is read-only; the service must be able to write to it.`, {
      cause,
    });
  }
}

/**
 * Returns the names of the migrations in a database; none when it is empty.
 *
 * @throws StartFault when the database belongs to another program
 */
export async function findMigrations(handle: SqliteConnection, shown: string): Promise<readonly string[]> {
  const tables = await handle.query<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  if (tables.length === 0) return [];
  const applied = await handle
    .query<{ name: string }>('SELECT name, timestamp FROM migrations')
    .catch((fault: unknown) => {
      // There is no such table, or no such column.
      if (sqliteCode(fault) !== 'SQLITE_ERROR') throw fault;
    });
  if (applied && (applied.length > 0 || tables.length === 1)) return applied.map(({ name }) => name);
  throw new StartFault(`${shown} holds the tables of another program.`);
}
