import type { Database } from 'sqlite3';
import { DataSource } from 'typeorm';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { DatabaseFault } from '../database-fault.js';
import { assertWritable, hasContent, inspectSqliteFile } from './inspect-sqlite-file.js';
import { PRAGMAS } from './pragmas.js';
import { lockSqliteFile } from './service-lock.js';
import { SqliteConnection } from './sqlite-connection.js';
import { assertNoLostDatabase, cannotOpen } from './sqlite-files.js';

/** A TypeORM data source on a SQLite file that also exposes a connection with prepared statements. */
export class SqliteDataSource extends DataSource {
  #connection: SqliteConnection | undefined;
  /** Keeps other services off the file. */
  #lock: SqliteConnection | undefined;
  /** Completes the writes: sqlite3 never answers a statement that waits while its handle is closed. */
  beforeDestroy: (() => Promise<void>) | undefined;

  get sqlite(): SqliteConnection {
    if (!this.#connection) throw new Error('The data source is not open.');
    return this.#connection;
  }

  /**
   * Opens the file, unless another service has it, or this one cannot use it.
   *
   * @param migrates whether missing migrations will be run
   * @param isBeside whether a service may have it
   * @throws StartFault, DatabaseFault
   */
  async open(migrates: boolean, isBeside: boolean): Promise<void> {
    // First, so that no lock file is created beside something that is not a file.
    if (await hasContent(this.#path)) await assertWritable(this.#path);
    await assertNoLostDatabase(this.#path);
    if (!isBeside) this.#lock = await lockSqliteFile(this.#path);
    await inspectSqliteFile(this.#path, migrates);
    await this.initialize();
  }

  /** What to report about a fault of {@link open}, or of the migrations. */
  async startFaultOf(fault: unknown): Promise<unknown> {
    if (!(fault instanceof DatabaseFault)) return fault;
    const { message } = fault.cause as Error;
    return cannotOpen(this.#path, fault, `The database ${this.#path} cannot be opened: ${message}.`);
  }

  get #path(): string {
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

  override async destroy(): Promise<void> {
    await this.beforeDestroy?.();
    await this.#connection?.finalize();
    if (this.isInitialized) await super.destroy();
    await this.#lock?.close();
  }
}
