import { access, constants, stat } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { StartFault } from '../../settings/settings.js';
import { DatabaseFault } from '../database-fault.js';
import { assertOurMigrations } from '../assert-our-migrations.js';
import { sqliteCode, SqliteConnection } from './sqlite-connection.js';

/**
 * Checks a SQLite file through a read-only connection before the service opens it. A file that the service cannot use
 * stays unchanged. (Damage is found by the query that reads it, and by `backup`, which reads every page.)
 *
 * @param migrates whether missing migrations will be run
 * @throws StartFault, or DatabaseFault when it cannot be read
 */
export async function inspectSqliteFile(path: string, migrates: boolean): Promise<void> {
  const shown = `The database ${path}`;
  // SQLite treats an empty file as an empty database.
  const applied = (await hasContent(path))
    ? await withReader(path, (reader) => findMigrations(reader, shown))
    : [];
  assertOurMigrations(shown, applied, migrates);
}

/**
 * Reads every page of a SQLite file.
 *
 * @param shownPath the file's name in a fault
 * @returns the number of posts
 * @throws StartFault when the service cannot use the file
 */
export async function verifySqliteFile(path: string, shownPath = path): Promise<number> {
  if (!(await hasContent(path))) throw new StartFault(`${shownPath} is not a SQLite database.`);
  const shown = `The database ${shownPath}`;
  try {
    return await withReader(path, async (reader) => {
      const [result] = await reader.query<{ integrity_check: string }>('PRAGMA integrity_check(1)');
      if (result!.integrity_check !== 'ok')
        throw new StartFault(`${shown} is damaged: ${result!.integrity_check}.`);
      const applied = await findMigrations(reader, shown);
      assertOurMigrations(shown, applied, true);
      if (applied.length === 0) throw new StartFault(`${shownPath} has none of the service's tables.`);
      const [row] = await reader.query<{ posts: number }>('SELECT count(*) AS posts FROM posts');
      return row!.posts;
    });
  } catch (fault) {
    if (!(fault instanceof DatabaseFault)) throw fault;
    throw new StartFault(`${shown} cannot be read: ${(fault.cause as Error).message}.`, { cause: fault });
  }
}

/** Runs reads on a SQLite file through a read-only connection, also while a service runs. */
async function withReader<Result>(
  path: string,
  read: (reader: SqliteConnection) => Promise<Result>,
): Promise<Result> {
  const reader = await SqliteConnection.open(path, sqlite3.OPEN_READONLY);
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

/** @returns false when the file is missing or empty @throws StartFault when there is, or can be, no such file */
export async function hasContent(path: string): Promise<boolean> {
  const stats = await stat(path).catch((cause: Error & { code?: string }) => {
    if (cause.code === 'ENOENT') return undefined;
    const reason = cause.code === 'ENOTDIR' ? 'a part of its path is a file, not a folder' : cause.message;
    throw new StartFault(`The database ${path} cannot be opened: ${reason}.`, { cause });
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
async function findMigrations(reader: SqliteConnection, shown: string): Promise<readonly string[]> {
  const tables = await reader.query<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`,
  );
  if (tables.length === 0) return [];
  const applied = await reader
    .query<{ name: string }>('SELECT name, timestamp FROM migrations')
    .catch((fault: unknown) => {
      // There is no such table, or no such column.
      if (sqliteCode(fault) !== 'SQLITE_ERROR') throw fault;
    });
  if (applied && (applied.length > 0 || tables.length === 1)) return applied.map(({ name }) => name);
  throw new StartFault(`${shown} holds the tables of another program.`);
}
