import { existsSync, readFileSync } from 'node:fs';
import { lchown, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFault } from '../../settings/settings.js';
import { sqliteCode, SqliteConnection } from './sqlite-connection.js';

/** How long a service that is stopping, such as in a restart, may take to release the lock. */
const WAIT_MS = 3_000;

/** Another service has the database open. */
export class SqliteFileInUse extends StartFault {
  /** The base URL of that service; undefined while it does not listen yet. */
  readonly serviceUrl: string | undefined;

  constructor(databasePath: string, cause: unknown) {
    super(
      `The database ${databasePath} is open in another service; stop that one, or give this one another DATABASE_URL.`,
      { cause },
    );
    this.serviceUrl = readServiceUrl(databasePath);
  }
}

/**
 * Keeps a second service off a SQLite file. Each service assumes that its writer is the only one.
 *
 * The lock is SQLite's own, on an empty file beside the database. It works wherever SQLite works, and the operating
 * system releases it when the process ends for any reason. It does not block programs that open the database itself,
 * such as a backup or the sqlite3 shell.
 *
 * @returns a connection that holds the lock until it is closed
 * @throws SqliteFileInUse when another service has the database open
 * @throws StartFault when the lock cannot be created
 */
export async function lockSqliteFile(databasePath: string, waitMs = WAIT_MS): Promise<SqliteConnection> {
  const path = `${databasePath}-lock`;
  let connection: SqliteConnection | undefined;
  try {
    await makeFolder(dirname(path));
    connection = await SqliteConnection.open(path);
    connection.busyTimeout = waitMs;
    // A journal file would need space on the disk, which may be full.
    await connection.execute('PRAGMA journal_mode = MEMORY');
    await connection.execute('BEGIN EXCLUSIVE');
    await giveToOwner(path, databasePath);
    return connection;
  } catch (cause) {
    await connection?.close();
    if (sqliteCode(cause) === 'SQLITE_BUSY') throw new SqliteFileInUse(databasePath, cause);
    if (isFull(cause)) throw new DiskIsFull(databasePath, cause);
    throw new StartFault(
      `The folder ${dirname(path)} of the database is not writable; let this process write to it, or set DATABASE_URL.`,
      { cause },
    );
  }
}

/** SQLite's shared memory, and some pages of its log. */
const MIN_FREE_BYTES = 65_536;

/** The service needs a few pages beside the database even for reads. */
export class DiskIsFull extends StartFault {
  constructor(databasePath: string, cause: unknown) {
    super(`The disk of the database ${databasePath} is full; free some space on it.`, { cause });
  }
}

/** Whether a fault of SQLite, or of the file system, says that the disk is full. */
export function isFull(fault: unknown): boolean {
  const { code } = fault as { code?: string };
  return code === 'ENOSPC' || code === 'EDQUOT' || sqliteCode(fault) === 'SQLITE_FULL';
}

/** SQLite reports some faults of a full disk as I/O errors. */
export async function hasNoSpace(databasePath: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(databasePath));
  return bavail * bsize < MIN_FREE_BYTES;
}

/** Node's option `recursive` never returns where no folder can be made, such as in `/proc`. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch((error: { code?: string }) => {
    // Another process has made it meanwhile.
    if (error.code !== 'EEXIST') throw error;
  });
}

/** The file beside a database in which the service that has it open notes its URL, for commands. */
function serviceUrlFile(databasePath: string): string {
  return `${databasePath}-url`;
}

/** @throws when the file cannot be written */
export async function writeServiceUrl(databasePath: string, url: string): Promise<void> {
  const path = serviceUrlFile(databasePath);
  await removeServiceUrl(databasePath);
  // Fails when the path exists, so it follows no link to another file.
  await writeFile(path, url, { flag: 'wx', mode: 0o600 });
  await giveToOwner(path, databasePath);
}

export async function removeServiceUrl(databasePath: string): Promise<void> {
  await rm(serviceUrlFile(databasePath), { force: true });
}

/** @returns undefined while the service is still starting, or when the file is something else */
function readServiceUrl(databasePath: string): string | undefined {
  try {
    return /^https?:\/\/\S+$/.exec(readFileSync(serviceUrlFile(databasePath), 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}

/**
 * Changes the owner of a file that root has created beside a database to the owner of the database, or else of the
 * folder: the service runs as that user and has to open it. (SQLite does the same for its own files.) A link is not
 * followed.
 */
export async function giveToOwner(path: string, databasePath: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(databasePath).catch(() => stat(dirname(databasePath)));
  await lchown(path, uid, gid);
}
