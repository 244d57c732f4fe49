import type { Database } from 'sqlite3';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { type OpenDataSource, SchemaDataSource } from '../data-source.js';
import type { Database as ServiceDatabase } from '../database.js';
import { PRAGMAS } from './pragmas.js';
import { SqliteConnection } from './sqlite-connection.js';
import { SqliteDatabase } from './sqlite-database.js';

/** A TypeORM data source on a SQLite file that also exposes a connection with prepared statements. */
export class SqliteDataSource extends SchemaDataSource implements OpenDataSource {
  #connection: SqliteConnection | undefined;
  /** Keeps other services off the file until {@link destroy}. */
  lock: SqliteConnection | undefined;
  /** Completes the writes: sqlite3 never answers a statement that waits while its handle is closed. */
  beforeDestroy: (() => Promise<void>) | undefined;

  get sqlite(): SqliteConnection {
    if (!this.#connection) throw new Error('The data source is not open.');
    return this.#connection;
  }

  get path(): string {
    return this.options.database as string;
  }

  override async initialize(): Promise<this> {
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
    for (const pragma of PRAGMAS.writer) await this.#connection.query(pragma);
    return this;
  }

  openDatabase(): Promise<ServiceDatabase> {
    return SqliteDatabase.open(this);
  }

  override async destroy(): Promise<void> {
    await this.beforeDestroy?.();
    await this.#connection?.finalize();
    if (this.isInitialized) await super.destroy();
    await this.lock?.close();
  }
}
