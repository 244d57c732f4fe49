import { access, constants, open as openFile, stat } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { StartFault } from '../../settings/settings.js';
import { assertOurMigrations } from '../migrations.js';
import { sqliteCode, SqliteConnection } from './sqlite-connection.js';

/** The first bytes of every SQLite file (https://sqlite.org/fileformat2.html §1.3.1). */
const MAGIC = 'SQLite format 3\0';

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
  // SQLite treats an empty file as an empty database.
  if (!(await isSqliteFile(path))) return assertOurMigrations(`The database ${path}`, [], migrates);
  const handle = await SqliteConnection.open(path, sqlite3.OPEN_READONLY);
  try {
    await assertSound(handle, path);
    return assertOurMigrations(`The database ${path}`, await findMigrations(handle, path), migrates);
  } catch (error) {
    if (error instanceof StartFault || !isDamage(error)) throw error;
    throw new StartFault(`The database ${path} is damaged; restore a backup.`, { cause: error });
  } finally {
    await handle.close();
  }
}

/**
 * Checks the kind of the file and its first bytes, without SQLite.
 *
 * @returns false when the file is missing or empty
 * @throws StartFault when it is something else
 */
export async function isSqliteFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  // Opening a FIFO would wait for a writer.
  if (stats && !stats.isFile()) throw new StartFault(`${path} is not a file; a SQLite database is one.`);
  if (!stats?.size) return false;
  const file = await openFile(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    if (buffer.toString('latin1', 0, bytesRead) === MAGIC) return true;
    throw new StartFault(`${path} is not a SQLite database.`);
  } finally {
    await file.close();
  }
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

/** Any other fault, such as that of a full disk, says nothing about the database. */
function isDamage(fault: unknown): boolean {
  return ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR'].includes(sqliteCode(fault) ?? '');
}

async function assertSound(handle: SqliteConnection, path: string): Promise<void> {
  const timer = setTimeout(() => handle.interrupt(), CHECK_TIMEOUT_MS);
  try {
    const [row] = await handle.query<{ quick_check: string }>('PRAGMA quick_check(1)');
    if (row?.quick_check !== 'ok') {
      throw new StartFault(`The database ${path} is damaged; restore a backup.`, {
        cause: new Error(row?.quick_check),
      });
    }
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_INTERRUPT') throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the names of the migrations in a database; none when it is empty.
 *
 * @throws StartFault when the database belongs to another program
 */
export async function findMigrations(handle: SqliteConnection, path: string): Promise<readonly string[]> {
  const tables = await handle.query<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  if (tables.length === 0) return [];
  const columns = await handle.query<{ name: string }>(`SELECT name FROM pragma_table_info('migrations')`);
  const isOurs = ['timestamp', 'name'].every((each) => columns.some(({ name }) => name === each));
  const applied = isOurs
    ? (await handle.query<{ name: string }>('SELECT name FROM migrations')).map(({ name }) => name)
    : [];
  if (applied.length > 0 || (isOurs && tables.length === 1)) return applied;
  throw new StartFault(`The database ${path} holds the tables of another program.`);
}
