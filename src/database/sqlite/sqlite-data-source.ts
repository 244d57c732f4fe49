import { readFileSync } from 'node:fs';
import { chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { StartFault } from '../../settings/settings.js';
import { SqliteConnection, SqliteHandle } from './sqlite-connection.js';

/** A TypeORM data source on a SQLite file that also exposes a connection with prepared statements. */
export class SqliteDataSource extends DataSource {
  #connection: SqliteConnection | undefined;
  #lock: SqliteServiceLock | undefined;

  get sqlite(): SqliteConnection {
    if (!this.#connection) throw new Error('The data source is not open.');
    return this.#connection;
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    this.#connection = new SqliteConnection((this.driver as SqliteDriver).databaseConnection as Database);
    return this;
  }

  /** @param lock keeps other services off the file; released when the data source is closed */
  holds(lock: SqliteServiceLock): void {
    this.#lock = lock;
  }

  override async destroy(): Promise<void> {
    await this.#connection?.finalize();
    await super.destroy();
    await this.#lock?.release();
  }
}

/** How long a service that is stopping, such as in a restart, may take to release the lock. */
const WAIT_MS = 3_000;

/** The file beside a database in which the service that has it open notes its URL, for commands. */
export function serviceUrlFile(databasePath: string): string {
  return `${databasePath}-url`;
}

/** Another service has the database open. */
export class SqliteFileInUse extends StartFault {
  /** The base URL of that service; undefined while it does not listen yet. */
  readonly serviceUrl: string | undefined;

  constructor(databasePath: string, cause: unknown) {
    super(
      `The database ${databasePath} is open in another service; stop that one, or give this one another DATABASE_URL.`,
      { cause },
    );
    try {
      this.serviceUrl = readFileSync(serviceUrlFile(databasePath), 'utf8') || undefined;
    } catch {
      // The service is still starting, or of an older version.
    }
  }
}

/**
 * Keeps a second service off a SQLite file. Each service assumes that its writer is the only one.
 *
 * The lock is SQLite's own, on an empty file beside the database. It works wherever SQLite works, and the operating
 * system releases it when the process ends for any reason. It does not block programs that open the database itself,
 * such as a backup or the sqlite3 shell.
 */
export class SqliteServiceLock {
  private constructor(private readonly handle: SqliteHandle) {}

  /**
   * @throws SqliteFileInUse when another service has the database open
   * @throws StartFault when the lock cannot be created
   */
  static async acquire(databasePath: string, waitMs = WAIT_MS): Promise<SqliteServiceLock> {
    const path = `${databasePath}-lock`;
    let handle: SqliteHandle | undefined;
    try {
      await mkdir(dirname(path), { recursive: true });
      handle = await SqliteHandle.open(path);
      await handle.all(`PRAGMA busy_timeout = ${waitMs}`);
      await handle.all('BEGIN EXCLUSIVE');
      await giveToOwner(path, databasePath);
      return new SqliteServiceLock(handle);
    } catch (cause) {
      await handle?.close();
      if ((cause as { code?: string }).code === 'SQLITE_BUSY') throw new SqliteFileInUse(databasePath, cause);
      throw new StartFault(
        `The folder ${dirname(path)} of the database is not writable; let this process write to it, or set DATABASE_URL.`,
        { cause },
      );
    }
  }

  release(): Promise<void> {
    return this.handle.close();
  }
}

/**
 * Changes the owner of a file that root has created beside a database to the owner of the database, or else of the
 * folder: the service runs as that user and has to open it. (SQLite does the same for its own files.)
 */
export async function giveToOwner(path: string, databasePath: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(databasePath).catch(() => stat(dirname(databasePath)));
  await chown(path, uid, gid);
}
