import sqlite3 from 'sqlite3';
import { CompiledQuery } from '../compiled-query.js';
import { BUSY_TIMEOUT_MS } from '../data-source-options.js';
import type { DatabaseActivity, WriteRefusal } from '../database-activity.js';
import { Database, type SnapshotConnection } from '../database.js';
import { sqliteDialect } from '../dialect.js';
import { DatabaseReader, type Outcome, type Queryable, type Work } from '../transaction.js';
import { SqliteCheckpoints } from './sqlite-checkpoints.js';
import { SqliteConnection } from './sqlite-connection.js';
import { removeServiceUrl, writeServiceUrl } from './service-lock.js';
import { SqliteDataSource } from './sqlite-data-source.js';
import { SqliteFiles } from './sqlite-files.js';
import { SqliteWriter } from './sqlite-writer.js';

/** TypeORM's query builder cannot write a query without a table. */
const PING = CompiledQuery.fromText('SELECT 1');

/** How soon a change by another program, such as the sqlite3 shell, invalidates cached responses. */
const FOREIGN_CHANGES_MS = 1_000;

/** Each holds a connection and some MiB of cache, and prevents the reset of the write-ahead log. */
const MAX_SNAPSHOTS = 16;

/**
 * One SQLite file in WAL mode: one connection writes, behind a queue, and one reads committed data. The writes of one
 * kind that wait share a transaction.
 */
export class SqliteDatabase extends Database {
  readonly dialect = sqliteDialect;
  readonly reader: Queryable;
  readonly activity: DatabaseActivity;
  readonly #writer: SqliteWriter;
  readonly maxSnapshots = MAX_SNAPSHOTS;
  protected readonly maxBatches = 1;
  /** Units of work that wait share a transaction, too, but no statements. */
  readonly #write = this.batched<Work<unknown>, unknown>({
    async run(transaction, works) {
      const outcomes: Outcome<unknown>[] = [];
      for (const work of works) outcomes.push({ result: await work(transaction) });
      return outcomes;
    },
  });
  #dataVersion: number | undefined;
  #foreignChanges = 0;
  readonly #timer = setInterval(() => void this.#noteForeignChanges(), FOREIGN_CHANGES_MS).unref();
  /** False in a command, which may run beside a service. */
  #hasUrl = false;
  readonly #files: SqliteFiles;

  private constructor(
    writer: SqliteDataSource,
    readonly primary: SqliteConnection,
    private readonly path: string,
    private readonly checkpoints: SqliteCheckpoints,
  ) {
    super(writer);
    this.reader = new DatabaseReader(writer, primary);
    this.#files = new SqliteFiles(path);
    this.#writer = new SqliteWriter(writer, writer.sqlite, checkpoints, this.#files, this.writes);
    this.activity = {
      reads: primary.stopwatch,
      writes: this.writes,
      waitingWrites: () => this.waitingWrites,
    };
  }

  /** @param writer an initialised data source on a migrated file */
  static async open(writer: SqliteDataSource): Promise<SqliteDatabase> {
    const path = writer.options.database as string;
    await writer.sqlite.execute('PRAGMA wal_autocheckpoint = 0');
    const reader = await SqliteConnection.open(path, sqlite3.OPEN_READWRITE);
    reader.busyTimeout = BUSY_TIMEOUT_MS;
    await reader.execute('PRAGMA query_only = ON');
    // The first read creates the write-ahead log, if there is none: SqliteFiles remembers it.
    await reader.execute('SELECT 1 FROM sqlite_schema LIMIT 1');
    return new SqliteDatabase(writer, reader, path, await SqliteCheckpoints.open(path));
  }

  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#write(work) as Promise<Result>;
  }

  protected commit<Result>(work: Work<Result>, writes: number): Promise<Result> {
    return this.#writer.commit(work, writes);
  }

  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    return this.#writer.writeInBackground(work);
  }

  override changeToken(): number {
    return this.#writer.commits + this.#foreignChanges;
  }

  override oldestWriteMs(): number | undefined {
    return this.#writer.openSinceMs;
  }

  async ping(): Promise<WriteRefusal | undefined> {
    this.#files.assertInPlace();
    await this.reader.all(PING);
    return this.writes.refusal;
  }

  /** The version also changes with commits of our own writer, which is another connection. */
  async #noteForeignChanges(): Promise<void> {
    const query = this.primary.query<{ data_version: number }>('PRAGMA data_version');
    const [row] = await query.catch(() => []);
    if (row && row.data_version !== this.#dataVersion) this.#foreignChanges += 1;
    this.#dataVersion = row?.data_version;
  }

  /**
   * Begins a read transaction on its own connection: a connection has one transaction, and the shared reader must stay
   * available. It takes less than a millisecond.
   */
  protected async beginSnapshot(): Promise<SnapshotConnection> {
    const connection = await SqliteConnection.open(this.path, sqlite3.OPEN_READONLY);
    connection.busyTimeout = BUSY_TIMEOUT_MS;
    try {
      // The first read fixes the visible state; BEGIN alone does not.
      for (const sql of ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1']) await connection.execute(sql);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  override async noteServiceUrl(url: string): Promise<void> {
    this.#hasUrl = true;
    // On a full disk, the service still starts, for reads.
    await writeServiceUrl(this.path, url).catch(() => undefined);
  }

  /** Closes the file, including the data source that writes. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    do await this.#writer.idle();
    while (this.isWriting);
    if (this.#hasUrl) await removeServiceUrl(this.path);
    await this.checkpoints.close();
    await this.primary.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }
}
