import { setImmediate } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import { DatabaseFault } from '../database-fault.js';
import type { Stopwatch, WriteRefusal } from '../database-activity.js';
import { Database, type Outcome } from '../database.js';
import { sqliteDialect } from '../dialect.js';
import { sql } from '../sql.js';
import {
  DatabaseReader,
  type Queryable,
  type DatabaseConnection,
  Transaction,
  type Work,
} from '../transaction.js';
import { SqliteCheckpoints } from './sqlite-checkpoints.js';
import { SqliteConnection } from './sqlite-connection.js';
import type { SqliteDataSource } from './sqlite-data-source.js';
import { identityOf } from './sqlite-files.js';

const BEGIN = sql`BEGIN IMMEDIATE`;
const COMMIT = sql`COMMIT`;
/** TypeORM's query builder cannot write a query without a table. */
const PING = sql`SELECT 1`;

/** How soon a change by another program, such as the sqlite3 shell, invalidates cached responses. */
const FOREIGN_CHANGES_MS = 1_000;

/** Each holds a connection and some MiB of cache, and prevents the reset of the write-ahead log. */
const MAX_SNAPSHOTS = 16;

/** Other writes wait for an import: how long it may take, and how long they wait. */
const MAX_WRITE_MS = 30_000;
const MAX_WAIT_MS = 10_000;

/** After this many transactions without background work, an import counts as over, or paused, and FTS5's hash table is reset. */
const RESET_AFTER = 20;

/**
 * One SQLite file in WAL mode: one connection writes, behind a queue, and one reads committed data. The writes of one
 * kind that wait share a transaction.
 */
export class SqliteDatabase extends Database {
  readonly dialect = sqliteDialect;
  readonly reader: Queryable;
  readonly reads: Stopwatch;
  readonly maxSnapshots = MAX_SNAPSHOTS;
  protected readonly maxBatches = 1;
  protected override readonly waits = { turn: () => this.#turn(), maxWaitMs: MAX_WAIT_MS };
  override readonly maxWriteMs = MAX_WRITE_MS;
  /** Units of work that wait share a transaction, too, but no statements. */
  readonly #write = this.batched<Work<unknown>, unknown>({
    async run(transaction, works) {
      const outcomes: Outcome<unknown>[] = [];
      for (const work of works) outcomes.push(await outcomeOf(work, transaction));
      return outcomes;
    },
  });
  /** The last transaction that waits for its turn. Never rejected. */
  #last: Promise<unknown> = Promise.resolve();
  #background: Promise<unknown> = Promise.resolve();
  /** How many transactions remain until FTS5's hash table is reset; 0 when no reset is due. */
  #untilReset = 0;
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
    super(dataSource);
    this.reader = new DatabaseReader(dataSource, readerConnection);
    this.reads = readerConnection.stopwatch;
    this.#identity = identityOf(path);
    dataSource.beforeDestroy = () => this.#finish();
  }

  /** @param dataSource initialised, on a migrated file */
  static async open(dataSource: SqliteDataSource): Promise<SqliteDatabase> {
    const { sqlite } = dataSource;
    const path = dataSource.options.database as string;
    await sqlite.query('PRAGMA wal_autocheckpoint = 0');
    const reader = await SqliteConnection.open(path, sqlite3.OPEN_READWRITE);
    await reader.query('PRAGMA query_only = ON');
    // The first read creates the write-ahead log, if there is none: identityOf needs it.
    await reader.query('SELECT 1 FROM sqlite_schema LIMIT 1');
    return new SqliteDatabase(dataSource, path, sqlite, reader, await SqliteCheckpoints.open(path));
  }

  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#write(work) as Promise<Result>;
  }

  /** Runs the work in its turn. @param untilReset restarts the count-down to the reset of FTS5's hash table */
  protected commit<Result>(work: Work<Result>, writes: number, untilReset?: number): Promise<Result> {
    const result = this.#commit(this.#last, work, writes);
    const afterwards = (): Promise<void> => this.#afterwards(untilReset);
    this.#last = result.then(afterwards, afterwards);
    return result;
  }

  writeAtLength<Result>(work: Work<Result>): Promise<Result> {
    return this.writes.time(this.commit(work, 1, RESET_AFTER));
  }

  /** The writes that wait go before the next background work. */
  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    const result = this.#background.then(async () => {
      // Lets writes that have arrived meanwhile take their turn first.
      await setImmediate();
      return this.commit(work, 1, RESET_AFTER);
    });
    this.#background = result.catch(() => undefined);
    return result;
  }

  /** Resolves when no transaction runs or waits. */
  async #turn(): Promise<void> {
    for (let last: unknown; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }

  async #commit<Result>(previous: Promise<unknown>, work: Work<Result>, writes: number): Promise<Result> {
    await previous;
    const startedAt = performance.now();
    this.oldestWriteMs = Date.now();
    const transaction = new Transaction(this.dataSource, this.connection);
    try {
      this.#assertInPlace();
      await this.connection.all(BEGIN);
      const result = await transaction.complete(work, () => this.connection.all(COMMIT));
      this.writes.committed(startedAt, writes);
      return result;
    } catch (fault) {
      // SQLite has rolled back by itself after some faults (https://sqlite.org/lang_transaction.html), and refuses this.
      await this.connection.query('ROLLBACK').catch(() => undefined);
      throw fault;
    } finally {
      // Also after a fault of the COMMIT, which may have been written.
      if (transaction.writes > 0) this.announce(transaction.changedRows);
      this.oldestWriteMs = undefined;
    }
  }

  /**
   * FTS5 keeps the words of a transaction in a hash table that only grows, and scans all of it at each COMMIT.
   * Measured, this costs 150 µs per commit after an import, for the rest of the connection's life. Reloading the schema
   * recreates the table.
   */
  async #afterwards(untilReset?: number): Promise<void> {
    await this.checkpoints.betweenTransactions();
    if (untilReset !== undefined) this.#untilReset = untilReset;
    else if (this.#untilReset > 0 && (this.#untilReset -= 1) === 0)
      await this.connection.query('PRAGMA writable_schema = RESET').catch(() => undefined);
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

  /** Closes the file, including the data source that writes. */
  close(): Promise<void> {
    return this.dataSource.destroy();
  }

  async #finish(): Promise<void> {
    clearInterval(this.#timer);
    for (let last: unknown; last !== this.#last || this.waitingWrites > 0;) {
      await this.#background;
      last = this.#last;
      await last;
      await setImmediate();
    }
    await this.checkpoints.close();
    await this.readerConnection.close();
  }
}

/** Work that throws before it has changed anything is refused alone: nothing needs to be rolled back. */
async function outcomeOf<Result>(work: Work<Result>, transaction: Transaction): Promise<Outcome<Result>> {
  const { writes } = transaction;
  try {
    return { result: await work(transaction) };
  } catch (refused) {
    if (transaction.writes > writes || refused instanceof DatabaseFault) throw refused;
    return { refused };
  }
}
