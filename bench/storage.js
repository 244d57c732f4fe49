/** A database for each measured server, filled with the same posts. */
import Database from 'better-sqlite3';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from '../test/support/postgres-server.js';

/** A folder with one SQLite file per server. */
export class SqliteStorage {
  constructor(folder) {
    this.folder = folder;
  }

  async prepare(index) {
    const file = join(this.folder, `${index}.sqlite`);
    return { DATABASE_FILE: file, DATABASE_URL: `sqlite:${file}` };
  }

  async seed({ DATABASE_FILE }, posts) {
    const database = new Database(DATABASE_FILE);
    database.exec(
      `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${posts})
       INSERT INTO posts (title, pub_date, body)
       SELECT 'Post number ' || i,
              strftime('%Y-%m-%dT%H:%M:%S.000000Z', '2020-01-01', i || ' minutes'),
              substr('The body of post ' || i || '. ${'lorem ipsum dolor sit amet '.repeat(11)}', 1, 300)
       FROM numbers`,
    );
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  }

  /** How many posts another connection sees. */
  async count({ DATABASE_FILE }) {
    const database = new Database(DATABASE_FILE, { readonly: true });
    try {
      return database.prepare('SELECT count(*) FROM posts').pluck().get();
    } finally {
      database.close();
    }
  }

  /** SQLite plans these queries without statistics. */
  async analyze() {}

  /** The size of a database in bytes. */
  async size(index) {
    const files = readdirSync(this.folder).filter((name) => name.startsWith(`${index}.sqlite`));
    return files.reduce((sum, name) => sum + statSync(join(this.folder, name)).size, 0);
  }

  async remove() {}
}

/** A PostgreSQL server with default durability and one database per server. */
export class PostgresStorage {
  #server;

  static async start() {
    const storage = new PostgresStorage();
    storage.#server = await PostgresServer.start(['fsync = on', 'shared_buffers = 256MB']);
    return storage;
  }

  async prepare(index) {
    await this.#server.query(`CREATE DATABASE bench_${index}`);
    return { DATABASE_URL: this.#server.url(`bench_${index}`) };
  }

  async seed({ DATABASE_URL }, posts) {
    const database = new URL(DATABASE_URL).pathname.slice(1);
    await this.#server.query(
      `INSERT INTO posts (title, pub_date, body)
       SELECT 'Post number ' || i,
              to_char(timestamp '2020-01-01' + i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
              rpad('The body of post ' || i || '. ', 300, 'lorem ipsum dolor sit amet ')
       FROM generate_series(1, ${posts}) AS i`,
      database,
    );
    await this.#server.query('VACUUM ANALYZE posts', database);
  }

  /** How many posts another connection sees. */
  async count({ DATABASE_URL }) {
    const database = new URL(DATABASE_URL).pathname.slice(1);
    const [{ posts: count }] = await this.#server.query('SELECT count(*) AS posts FROM posts', database);
    return Number(count);
  }

  /** Updates the planner's statistics, as autovacuum would do within a minute. */
  async analyze({ DATABASE_URL }) {
    await this.#server.query('VACUUM ANALYZE', new URL(DATABASE_URL).pathname.slice(1));
  }

  /** The size of a database in bytes. */
  async size(index) {
    const [{ bytes }] = await this.#server.query(`SELECT pg_database_size('bench_${index}') AS bytes`);
    return Number(bytes);
  }

  async remove() {
    await this.#server.remove();
  }
}
