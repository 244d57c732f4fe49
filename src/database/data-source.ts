import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { StartFault } from '../settings/settings.js';
import type { Database } from './database.js';

/** A TypeORM data source with the types of its database. TypeORM's CLI and the tests use it as it is. */
export class SchemaDataSource extends DataSource {
  /**
   * Entities declare SQLite's types. This maps them to PostgreSQL: an `integer` has 64 bits, and a `text` compares by
   * code point.
   */
  protected override async buildMetadatas(): Promise<void> {
    await super.buildMetadatas();
    if (this.options.type !== 'postgres') return;
    for (const column of this.entityMetadatas.flatMap(({ columns }) => columns)) {
      const type = this.driver.normalizeType(column);
      // TypeORM returns a generated `bigint` as text, but treats `int8` as the same type.
      if (type === 'integer' || type === 'bigint') column.type = 'int8';
      if (type === 'text') column.collation = 'C';
    }
  }
}

/** A data source that `openSqlite` or `openPostgres` has opened. */
export interface OpenDataSource extends DataSource {
  /** Opens the service's database on the connections of the data source, which closes it. Called once. */
  openDatabase(): Promise<Database>;
}

export interface OpenOptions {
  /** Is told about migrations. */
  readonly logger?: Logger;
  /**
   * - `serve`, the default: runs the missing migrations, unless `migrationsRun` is false. On SQLite, no other service may
   *   have the file.
   * - `beside-service`: for a command that may write while a service runs. On SQLite this is safe: the transactions of both
   *   processes wait for each other (`BEGIN IMMEDIATE`), and the service sees commits of other processes. But the command
   *   must not migrate the schema.
   * - `inspect`: reads a database that the service could use, or could migrate, and changes nothing.
   */
  readonly purpose?: 'serve' | 'beside-service' | 'inspect';
}

/** The database's server may still be starting: a later attempt may succeed. */
export class ServerStarting extends StartFault {}
