import { CompiledQuery } from '../compiled-query.js';
import { Database, type Queryable, type Work } from '../database.js';
import type { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteWriter } from './sqlite-writer.js';

const PING = CompiledQuery.fromText('SELECT 1');

/** One SQLite file: a connection that writes, behind a queue, and one that reads what was committed (WAL). */
export class SqliteDatabase extends Database {
  readonly reader: Queryable;
  readonly #writer: SqliteWriter;

  constructor(writer: SqliteDataSource, reader: SqliteDataSource) {
    super();
    this.reader = reader.sqlite;
    this.#writer = new SqliteWriter(writer.sqlite);
  }

  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.write(work);
  }

  async ping(): Promise<void> {
    await this.reader.all(PING);
  }
}
