import { setImmediate } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import { DatabaseFault } from '../database-fault.js';
import type { Stopwatch, WriteRefusal } from '../database-activity.js';
import { Database, MAX_WAITING_READS, MAX_WAITING_WRITES } from '../database.js';
import { ClientQuota } from '../../limits/index.js';
import { sqliteDialect } from '../dialect.js';
import { type Sql, sql, type SqlValues } from '../sql.js';
import { DatabaseReader, type Queryable, type DatabaseConnection, type Work } from '../transaction.js';
import { lastBackup } from './backup-mark.js';
import { PRAGMAS } from './pragmas.js';
import { SerialTransaction } from './serial-transaction.js';
import { SqliteCheckpoints } from './sqlite-checkpoints.js';
import { SqliteConnection } from './sqlite-connection.js';
import type { SqliteDataSource } from './sqlite-data-source.js';
import { identityOf, sizeOf } from './sqlite-files.js';

const BEGIN = sql`BEGIN IMMEDIATE`;
const COMMIT = sql`COMMIT`;
/** TypeORM's query builder cannot write a query without a table. */
const PING = sql`SELECT 1`;

/** How soon a change by another program, such as the sqlite3 shell, invalidates cached responses. */
const FOREIGN_CHANGES_MS = 1_000;

/** Each holds a connection and some MiB of cache, and prevents the reset of the write-ahead log. */
const MAX_SNAPSHOTS = 16;

/** The queries of clients on the reader. It runs one at a time; the others wait behind it, two of each client. */
const MAX_CLIENT_READS = 8;
/** How long they wait for that. */
const MAX_READ_WAIT_MS = 6_000;

/** The single writes in the line for the writer: one of each client, so that those of others follow soon. */
const MAX_SINGLE_WRITES = 4;

/** Other writes wait for an import: how long it may take, and how long they wait. */
const MAX_WRITE_MS = 30_000;
const MAX_WAIT_MS = 10_000;
/** Only imports take so long, or the disk is slow. */
const LONG_WRITE_MS = 1_000;

/** One SQLite file in WAL mode: one connection writes, behind a queue, and one reads committed data. */
export class SqliteDatabase extends Database {
  readonly dialect = sqliteDialect;
  readonly reader: Queryable;
  readonly reads: Stopwatch;
  readonly maxSnapshots = MAX_SNAPSHOTS;
  protected override readonly clientReads = new ClientQuota(
    MAX_CLIENT_READS,
    MAX_READ_WAIT_MS,
    MAX_WAITING_READS,
  );
  protected override readonly singleWrites = new ClientQuota(
    MAX_SINGLE_WRITES,
    MAX_WAIT_MS,
    MAX_WAITING_WRITES,
  );
  override readonly maxWriteMs = MAX_WRITE_MS;
  /** The last transaction of the queue. Never rejected. */
  #last: Promise<unknown> = Promise.resolve();
  override readonly announcesChanges = true;
  override oldestWriteMs: number | undefined = undefined;
  #dataVersion: number | undefined;
  readonly #timer = setInterval(() => void this.#noteForeignChanges(), FOREIGN_CHANGES_MS).unref();
  readonly #identity: string;

  private constructor(
    dataSource: SqliteDataSource,
    private readonly path: string,
    private readonly connection: SqliteConnection,
    private readonly readerConnection: SqliteConnection,
    private readonly checkpoints: SqliteCheckpoints,
  ) {
    super(dataSource, { maxBatches: 1, maxWaitMs: MAX_WAIT_MS });
    this.reader = new DatabaseReader(dataSource, readerConnection);
    this.reads = readerConnection.stopwatch;
    this.#identity = identityOf(path);
    dataSource.beforeDestroy = () => this.#finish();
  }

  /** @param dataSource initialised, on a migrated file */
  static async open(dataSource: SqliteDataSource): Promise<SqliteDatabase> {
    const { sqlite, path } = dataSource;
    for (const pragma of PRAGMAS.servedWriter) await sqlite.query(pragma);
    const reader = await SqliteConnection.open(path, sqlite3.OPEN_READWRITE);
    for (const pragma of PRAGMAS.reader) await reader.query(pragma);
    // The first read creates the write-ahead log, if there is none: identityOf needs it.
    await reader.query('SELECT 1 FROM sqlite_schema LIMIT 1');
    return new SqliteDatabase(dataSource, path, sqlite, reader, await SqliteCheckpoints.open(path));
  }

  protected read<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    return this.readerConnection.all(query, values);
  }

  /** Runs the work in its turn. */
  protected commit<Result>(work: Work<Result>): Promise<Result> {
    const result = this.#commit(this.#last, work);
    const { betweenTransactions } = this.checkpoints;
    this.#last = result.then(betweenTransactions, betweenTransactions);
    return result;
  }

  /** @param before ends before this transaction begins */
  async #commit<Result>(before: Promise<unknown>, work: Work<Result>): Promise<Result> {
    await before;
    const startedAt = performance.now();
    this.oldestWriteMs = Date.now();
    const transaction = new SerialTransaction(this.dataSource, this.connection);
    let mayBeStored = false;
    try {
      this.#assertInPlace();
      await this.connection.all(BEGIN);
      const result = await transaction.complete(work);
      await this.#endTransaction();
      mayBeStored = true;
      if (transaction.hasWritten) this.writes.transactions.stop(startedAt);
      // FTS5 keeps the words of a transaction in a hash table that only grows, and scans all of it at each COMMIT: after
      // an import it takes 150 µs longer. Reloading the schema recreates the table.
      if (performance.now() - startedAt > LONG_WRITE_MS)
        await this.connection.query('PRAGMA writable_schema = RESET').catch(() => undefined);
      return result;
    } catch (fault) {
      // SQLite has rolled back by itself after some faults (https://sqlite.org/lang_transaction.html), and refuses this.
      await this.connection.query('ROLLBACK').catch(() => undefined);
      mayBeStored = fault instanceof DatabaseFault && fault.kind === 'unconfirmed';
      throw fault;
    } finally {
      // Also after a fault of the COMMIT, which may have been written.
      if (transaction.hasWritten) this.announce(transaction.changedRows);
      if (mayBeStored) transaction.announceCommit(this.onListenerFault);
      this.oldestWriteMs = undefined;
    }
  }

  /** @throws DatabaseFault `unconfirmed` when the disk failed: a start that reads the log again may find the commit in it */
  async #endTransaction(): Promise<void> {
    try {
      await this.connection.all(COMMIT);
    } catch (fault) {
      if (fault instanceof DatabaseFault && fault.kind === 'unreachable')
        throw new DatabaseFault('unconfirmed', { cause: fault.cause });
      throw fault;
    }
  }

  async sizes(): Promise<Record<string, number>> {
    return { database: await sizeOf(this.path), wal: await sizeOf(`${this.path}-wal`) };
  }

  async lastBackup(): Promise<number> {
    return (await lastBackup(this.path)) / 1_000;
  }

  async ping(): Promise<WriteRefusal | undefined> {
    this.#assertInPlace();
    await this.reader.all(PING);
    return this.writes.refusal;
  }

  #assertInPlace(): void {
    if (identityOf(this.path) !== this.#identity) throw new DatabaseFault('replaced');
  }

  /** The version that the writer sees does not change with its own commits. */
  async #noteForeignChanges(): Promise<void> {
    const query = this.connection.query<{ data_version: number }>('PRAGMA data_version');
    const [row] = await query.catch(() => []);
    if (row && row.data_version !== this.#dataVersion) this.announce();
    this.#dataVersion = row?.data_version;
  }

  /**
   * Begins a read transaction on its own connection: a connection has one transaction, and the shared reader must stay
   * available. It takes less than a millisecond.
   */
  protected async beginSnapshot(): Promise<DatabaseConnection> {
    const connection = await SqliteConnection.open(this.path, sqlite3.OPEN_READONLY);
    try {
      // The first read fixes the visible state; BEGIN alone does not.
      for (const text of ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1']) await connection.query(text);
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  async #finish(): Promise<void> {
    clearInterval(this.#timer);
    for (let last: unknown; last !== this.#last || this.waitingWrites > 0;) {
      last = this.#last;
      await last;
      await setImmediate();
    }
    await this.checkpoints.close();
    await this.readerConnection.close();
  }
}
