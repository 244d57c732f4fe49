import { setImmediate } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { CompiledQuery } from '../compiled-query.js';
import type { WriteStopwatch } from '../database-activity.js';
import { OpenTransaction, type Work } from '../transaction.js';
import type { SqliteCheckpoints } from './sqlite-checkpoints.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { SqliteFiles } from './sqlite-files.js';

const BEGIN = CompiledQuery.fromText('BEGIN IMMEDIATE');
const COMMIT = CompiledQuery.fromText('COMMIT');

/** The import counts as over, or paused, after this many transactions without background work. */
const FOLLOWING = 20;

/** All writes to a SQLite file, in one transaction at a time. */
export class SqliteWriter {
  /** The last transaction that waits for its turn. Never rejected. */
  #last: Promise<unknown> = Promise.resolve();
  #background: Promise<unknown> = Promise.resolve();
  /** How many transactions remain until FTS5's hash table is reset; 0 when no reset is due. */
  #following = 0;

  /** When the open transaction began, in milliseconds since 1970. */
  openSinceMs: number | undefined;
  /** How many transactions have ended that may have changed something. */
  commits = 0;

  /** @param files checked before each transaction */
  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: SqliteConnection,
    private readonly checkpoints: SqliteCheckpoints,
    private readonly files: SqliteFiles,
    private readonly stopwatch: WriteStopwatch,
  ) {}

  /**
   * Runs the work in its turn, and commits it.
   *
   * @param writes how many the work makes
   * @param following restarts the count-down to the reset of FTS5's hash table
   * @throws what the work throws, after a rollback
   */
  commit<Result>(work: Work<Result>, writes: number, following?: number): Promise<Result> {
    const result = this.#commit(this.#last, work, writes);
    const afterwards = (): Promise<void> => this.#afterwards(following);
    this.#last = result.then(afterwards, afterwards);
    return result;
  }

  /** Runs the work in its turn: the writes that wait go before the next background work. */
  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    const result = this.#background.then(async () => {
      // Lets writes that have arrived meanwhile take their turn first.
      await setImmediate();
      return this.commit(work, 1, FOLLOWING);
    });
    this.#background = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all transactions have ended. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last;) {
      await this.#background;
      last = this.#last;
      await this.#last;
      await setImmediate();
    }
  }

  async #commit<Result>(previous: Promise<unknown>, work: Work<Result>, writes: number): Promise<Result> {
    await previous;
    const startedAt = performance.now();
    this.openSinceMs = Date.now();
    const transaction = new OpenTransaction(this.dataSource, this.connection);
    try {
      this.files.assertInPlace();
      await this.connection.all(BEGIN);
      const result = await transaction.complete(work);
      await this.connection.all(COMMIT);
      this.stopwatch.committed(startedAt, writes);
      return result;
    } catch (fault) {
      // SQLite has rolled back by itself after some faults (https://sqlite.org/lang_transaction.html), and refuses this.
      await this.connection.execute('ROLLBACK').catch(() => undefined);
      throw fault;
    } finally {
      // Also after a fault of the COMMIT, which may have been written.
      if (transaction.hasWritten) this.commits += 1;
      this.openSinceMs = undefined;
    }
  }

  /**
   * FTS5 keeps the words of a transaction in a hash table that only grows, and scans all of it at each COMMIT.
   * Measured, this costs 150 µs per commit after an import, for the rest of the connection's life. Reloading the schema
   * recreates the table.
   */
  async #afterwards(following?: number): Promise<void> {
    await this.checkpoints.betweenTransactions();
    if (following !== undefined) this.#following = following;
    else if (this.#following > 0 && (this.#following -= 1) === 0)
      await this.connection.execute('PRAGMA writable_schema = RESET').catch(() => undefined);
  }
}
