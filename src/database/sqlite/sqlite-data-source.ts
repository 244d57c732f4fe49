import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { SqliteConnection } from './sqlite-connection.js';

/** A TypeORM data source on a SQLite file that also exposes a connection with prepared statements. */
export class SqliteDataSource extends DataSource {
  #connection: SqliteConnection | undefined;
  /** Keeps other services off the file; closed with the data source. */
  lock: SqliteConnection | undefined;

  get sqlite(): SqliteConnection {
    if (!this.#connection) throw new Error('The data source is not open.');
    return this.#connection;
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    this.#connection = new SqliteConnection((this.driver as SqliteDriver).databaseConnection as Database);
    return this;
  }

  override async destroy(): Promise<void> {
    await this.#connection?.finalize();
    await super.destroy();
    await this.lock?.close();
  }
}
