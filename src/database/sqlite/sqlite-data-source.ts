import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { SqliteConnection } from './sqlite-connection.js';

/**
 * With SQLite's default cache of 2 MiB, each batch of an import reads the changed pages of the title index again.
 * Measured, this size halves the reads.
 */
const CACHE_KIB = 16_384;

/** A TypeORM data source on a SQLite file that also exposes a connection with prepared statements. */
export class SqliteDataSource extends DataSource {
  #connection: SqliteConnection | undefined;
  /** Keeps other services off the file; closed with the data source. */
  lock: SqliteConnection | undefined;
  /** Completes the writes: sqlite3 never answers a statement that waits while its handle is closed. */
  beforeDestroy: (() => Promise<void>) | undefined;
  #destroyed: Promise<void> | undefined;

  get sqlite(): SqliteConnection {
    if (!this.#connection) throw new Error('The data source is not open.');
    return this.#connection;
  }

  override async initialize(): Promise<this> {
    this.#destroyed = undefined;
    await super.initialize();
    const unique = this.entityMetadatas.flatMap(({ tableName, indices }) =>
      indices
        .filter(({ isUnique }) => isUnique)
        .map(({ columns, name }): [string, string] => [
          columns.map(({ databaseName }) => `${tableName}.${databaseName}`).join(', '),
          name,
        ]),
    );
    const handle = (this.driver as SqliteDriver).databaseConnection as Database;
    this.#connection = new SqliteConnection(handle, new Map(unique));
    // FULL: a commit is on the disk before it is acknowledged. (WAL's default protects only consistency.)
    await this.#connection.query('PRAGMA synchronous = FULL');
    await this.#connection.query(`PRAGMA cache_size = -${CACHE_KIB}`);
    return this;
  }

  /** TypeORM's module and the Database both call it at the stop. */
  override destroy(): Promise<void> {
    return (this.#destroyed ??= this.#destroy());
  }

  async #destroy(): Promise<void> {
    await this.beforeDestroy?.();
    await this.#connection?.finalize();
    await super.destroy();
    await this.lock?.close();
  }
}
