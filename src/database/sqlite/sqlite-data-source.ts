import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { SqliteConnection, SqliteHandle } from './sqlite-connection.js';
import { chown, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFault } from '../../settings/settings.js';

/** A TypeORM data source on a SQLite file that also offers its handle with prepared statements. */
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

  /** @param lock what keeps other services off the file; released when the data source is closed */
  holds(lock: SqliteServiceLock): void {
    this.#lock = lock;
  }

  override async destroy(): Promise<void> {
    await this.#connection?.finalize();
    await super.destroy();
    await this.#lock?.release();
  }
}

/** A service that was just told to stop, such as in a restart, has so long to let go. */
const WAIT_MS = 3_000;

/** Another service has the database open. */
export class SqliteFileInUse extends StartFault {
  constructor(databasePath: string, cause: unknown) {
    super(
      `The database ${databasePath} is open in another service; stop that one, or give this one a DATABASE_URL of its own.`,
      { cause },
    );
  }
}

/**
 * Keeps a second service off a SQLite file: its writer, too, would take itself for the only one.
 *
 * The lock is SQLite's own, on an empty file beside the database: it works wherever SQLite works, ends with the process
 * however that ends, and hinders nobody who opens the database itself, such as a backup or the sqlite3 shell.
 */
export class SqliteServiceLock {
  private constructor(private readonly handle: SqliteHandle) {}

  /**
   * @throws SqliteFileInUse when another service has the database open
   * @throws StartFault when none can be kept out
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
        `The folder ${dirname(path)} cannot be written to, and the database would be there; give this process the right to, or set DATABASE_URL.`,
        { cause },
      );
    }
  }

  release(): Promise<void> {
    return this.handle.close();
  }
}

/**
 * Gives a file that root has made beside a database to the owner of the database, or else of the folder: the service, which
 * runs as that user, is to open it. (SQLite does so with the files that it makes itself.)
 */
export async function giveToOwner(path: string, databasePath: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(databasePath).catch(() => stat(dirname(databasePath)));
  await chown(path, uid, gid);
}
