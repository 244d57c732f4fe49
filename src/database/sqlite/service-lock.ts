import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFault } from '../../settings/settings.js';
import { sqliteCode, SqliteConnection } from './sqlite-connection.js';
import { cannotOpen, giveToOwner } from './sqlite-files.js';

/** How long a service that is stopping, such as in a restart, may take to release the lock. */
const WAIT_MS = 3_000;

/**
 * Keeps a second service off a SQLite file. Each service assumes that its writer is the only one.
 *
 * The lock is SQLite's own, on an empty file beside the database. It works wherever SQLite works, and the operating
 * system releases it when the process ends for any reason. It does not block programs that open the database itself,
 * such as a backup or the sqlite3 shell.
 *
 * @returns a connection that holds the lock until it is closed
 * @throws StartFault when another service has the database open, or the lock cannot be created
 */
export async function lockSqliteFile(databasePath: string): Promise<SqliteConnection> {
  const path = `${databasePath}-lock`;
  let connection: SqliteConnection | undefined;
  try {
    await mkdir(dirname(path), { recursive: true });
    connection = await SqliteConnection.open(path, undefined, WAIT_MS);
    // A journal file would need space on the disk, which may be full.
    await connection.query('PRAGMA journal_mode = MEMORY');
    await connection.query('BEGIN EXCLUSIVE');
    await giveToOwner(path, databasePath);
    return connection;
  } catch (cause) {
    await connection?.close();
    if (sqliteCode(cause) === 'SQLITE_BUSY')
      throw new StartFault(
        `The database ${databasePath} is open in another service; stop that one, or give this one another DATABASE_URL.`,
        { cause },
      );
    throw await cannotOpen(
      databasePath,
      cause,
      `The folder ${dirname(path)} of the database is not writable; let this process write to it, or set DATABASE_URL.`,
    );
  }
}
