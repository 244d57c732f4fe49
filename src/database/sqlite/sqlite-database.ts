import { CompiledQuery } from '../compiled-query.js';
import { Database, type Queryable, type Work } from '../database.js';
import { sqliteDialect } from '../dialect.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteWriter } from './sqlite-writer.js';

const PING = CompiledQuery.fromText('SELECT 1');

/** One SQLite file: a connection that writes, behind a queue, and one that reads what was committed (WAL). */
export class SqliteDatabase extends Database {
  readonly dialect = sqliteDialect;
  readonly reader: Queryable;
  readonly #reader: SqliteDataSource;
  readonly #writer: SqliteWriter;

  private constructor(writer: SqliteDataSource, reader: SqliteDataSource) {
    super();
    this.reader = reader.sqlite;
    this.#reader = reader;
    this.#writer = new SqliteWriter(writer.sqlite);
  }

  /** @param writer an open data source on a file that has its tables */
  static async open(writer: SqliteDataSource): Promise<SqliteDatabase> {
    const options = { ...writer.options, migrations: [], entities: [] };
    const reader = await new SqliteDataSource(options).initialize();
    await reader.sqlite.execute('PRAGMA query_only = ON');
    return new SqliteDatabase(writer, reader);
  }

  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  async ping(): Promise<void> {
    await this.reader.all(PING);
  }

  async close(): Promise<void> {
    await this.#reader.destroy();
  }
}
