import sqlite3 from 'sqlite3';
import type { DataSource, EntityManager } from 'typeorm';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import { BUSY_TIMEOUT_MS } from '../data-source-options.js';
import { DatabaseFault } from '../database-fault.js';
import type { Snapshot } from '../database.js';
import { readingManager } from '../entity-manager.js';
import { SqliteConnection, sqliteFault, SqliteHandle } from './sqlite-connection.js';

/** Each holds a connection, some MiB of cache, and back the reuse of the write-ahead log. */
export const MAX_SQLITE_SNAPSHOTS = 16;
/** An interrupt does nothing to a statement that has yet to begin, so it is repeated until all are over. */
const INTERRUPT_INTERVAL_MS = 20;

/**
 * Read transactions on a SQLite file, each on a connection of its own, for as long as a stream takes: the shared reader
 * must not stand still, and a connection has one transaction. Opening one takes less than a millisecond.
 */
export class SqliteSnapshots {
  #open = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly path: string,
  ) {}

  /** @throws DatabaseFault `busy` when too many are open already */
  async open(): Promise<Snapshot> {
    if (this.#open >= MAX_SQLITE_SNAPSHOTS) throw new DatabaseFault('busy');
    this.#open++;
    try {
      return await SqliteSnapshot.begin(this.dataSource, this.path, () => this.#open--);
    } catch (error) {
      this.#open--;
      throw error;
    }
  }
}

class SqliteSnapshot implements Snapshot {
  #closed = false;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly handle: SqliteHandle,
    private readonly connection: SqliteConnection,
    private readonly onClose: () => void,
  ) {}

  static async begin(dataSource: DataSource, path: string, onClose: () => void): Promise<SqliteSnapshot> {
    const handle = await SqliteHandle.open(path, sqlite3.OPEN_READONLY).catch((error: Error) => {
      throw sqliteFault(error);
    });
    handle.database.configure('busyTimeout', BUSY_TIMEOUT_MS);
    const connection = new SqliteConnection(handle.database);
    const snapshot = new SqliteSnapshot(dataSource, handle, connection, onClose);
    try {
      // The first read fixes the state that is seen; BEGIN alone does not.
      for (const sql of ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1']) await connection.execute(sql);
    } catch (error) {
      await snapshot.#closeHandle();
      throw error;
    }
    return snapshot;
  }

  get manager(): EntityManager {
    return readingManager(this.dataSource, this);
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    if (this.#closed) throw new Error('The snapshot is closed.');
    return this.connection.all(query, values);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#closeHandle();
    this.onClose();
  }

  /** Closing ends the transaction, once the running statements are over. */
  async #closeHandle(): Promise<void> {
    const { database } = this.handle;
    database.interrupt();
    const timer = setInterval(() => database.interrupt(), INTERRUPT_INTERVAL_MS);
    await this.connection.finalize();
    clearInterval(timer);
    await this.handle.close();
  }
}
