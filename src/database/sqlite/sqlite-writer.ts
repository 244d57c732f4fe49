import type { DataSource } from 'typeorm';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import { DatabaseFault } from '../database-fault.js';
import { Stopwatch, type Work, type WriterConnection } from '../database.js';
import { runWork } from '../entity-manager.js';
import type { SqliteCheckpoints } from './write-ahead-log.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** How many writes may wait. At some thousand commits a second the last of them waits for about a second. */
const MAX_WAITING = 5_000;
/** How many writes share a commit: enough to spread its fsync thin, few enough to hold up the first of them little. */
const MAX_GROUP = 200;
/** When so many transactions have followed the last one with work in the background, that is over, or pauses. */
const FOLLOWING = 20;

interface Job {
  /** Where it waits, also when it is to be run again. */
  readonly queue: Job[];
  readonly work: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs a job in the open transaction, and gives what tells the job's caller of it once that is durable.
 *
 * @throws DatabaseFault when the database, not the work, refused; the whole transaction is void then
 * @throws Spoilt
 */
type RunJob = (job: Job) => Promise<() => void>;

/** A write failed after it had changed something: the transaction cannot be kept as it is. */
class Spoilt extends Error {}

/**
 * The queue through which every write to a SQLite file goes.
 *
 * All that waits is put into one transaction and acknowledged after the one COMMIT: as durable as a commit each, and
 * faster by the number of writes that share it. A write that fails after it has changed something is rare (refusals come
 * before): then all of them start again, each in a savepoint of its own. Savepoints for all would cost each write two
 * more trips through sqlite3's thread pool, half of the time that a create takes.
 */
export class SqliteWriter {
  readonly #waiting: Job[] = [];
  readonly #inBackground: Job[] = [];
  #running: Promise<void> | undefined;
  /** How many transactions have still to follow work in the background before its traces go; 0 when there are none. */
  #following = 0;

  /** All writes so far, from when they were asked for until they were settled. */
  readonly stopwatch = new Stopwatch();

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: SqliteConnection,
    private readonly checkpoints: SqliteCheckpoints,
  ) {}

  /** @throws DatabaseFault `busy` when too many writes wait already */
  write<Result>(work: Work<Result>): Promise<Result> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new DatabaseFault('busy'));
    const startedAt = performance.now();
    return this.#queue(this.#waiting, work).finally(() => this.stopwatch.stop(startedAt));
  }

  /** Runs the work when its turn comes: each transaction takes one of those, and whoever asks to write meanwhile. */
  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    return this.#queue(this.#inBackground, work);
  }

  /** How many writes wait for the next transaction. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #queue<Result>(queue: Job[], work: Work<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      queue.push({ queue, work, resolve: resolve as (result: unknown) => void, reject });
      this.#running ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    let background: Job | undefined;
    while (this.#waiting.length + this.#inBackground.length > 0) {
      // Who waited for work in the background does not wait for more of it.
      const isTheirTurn = background !== undefined && this.#waiting.length > 0;
      background = isTheirTurn ? undefined : this.#inBackground.shift();
      const jobs = background ? [background] : this.#takeWaiting(0);
      const again =
        (await this.#commitTogether(jobs, this.#run)) ??
        (await this.#commitTogether(jobs, this.#runInSavepoint)) ??
        [];
      for (const job of again.toReversed()) job.queue.unshift(job);
      await this.checkpoints.betweenTransactions();
      if (background) this.#following = FOLLOWING;
      else if (this.#following > 0) await this.#follow();
    }
    this.#running = undefined;
  }

  /**
   * FTS5 keeps the words of a transaction in a table that only grows, and goes through all of it at each COMMIT: after an
   * import for 150 µs, measured, for the rest of the connection's life. It is made anew when the schema is read anew.
   */
  async #follow(): Promise<void> {
    this.#following -= 1;
    if (this.#following > 0) return;
    await this.connection.execute('PRAGMA writable_schema = RESET').catch(() => undefined);
  }

  /** Those that wait, up to a full group. */
  #takeWaiting(size: number): Job[] {
    return this.#waiting.splice(0, MAX_GROUP - size);
  }

  /**
   * Those who ask to write meanwhile join.
   *
   * @returns the jobs whose changes were undone through no fault of their own, to be run again; undefined when
   * the transaction was spoilt, and nobody was told anything
   */
  async #commitTogether(jobs: Job[], run: RunJob): Promise<readonly Job[] | undefined> {
    const settle: (() => void)[] = [];
    try {
      await this.connection.execute('BEGIN IMMEDIATE');
    } catch (fault) {
      for (const job of jobs) job.reject(fault);
      return [];
    }
    for (const job of jobs) {
      try {
        settle.push(await run(job));
      } catch (fault) {
        await this.#rollback();
        if (fault instanceof Spoilt) return undefined;
        // SQLite may have rolled back all of the transaction (SQLITE_FULL, SQLITE_IOERR: https://sqlite.org/lang_transaction.html),
        // and what ran after that would be outside of it. So nobody is acknowledged, and the others start again.
        job.reject(fault);
        return jobs.filter((other) => other !== job);
      }
      if (settle.length === jobs.length) jobs.push(...this.#takeWaiting(jobs.length));
    }
    try {
      await this.connection.execute('COMMIT');
    } catch (fault) {
      await this.#rollback();
      for (const job of jobs) job.reject(fault);
      return [];
    }
    // A refusal, too, waits for the commit: it may rest on what another write of the group has changed.
    for (const tell of settle) tell();
    return [];
  }

  readonly #run: RunJob = async ({ work, resolve, reject }) => {
    let hasChanged = false;
    const note = (query: CompiledQuery): void => {
      hasChanged ||= !query.isRead;
    };
    const watched: WriterConnection = {
      all: <Row>(query: CompiledQuery, values?: QueryValues) => {
        note(query);
        return this.connection.all<Row>(query, values);
      },
      run: (statement) => {
        note(statement);
        return this.connection.run(statement);
      },
    };
    try {
      const result = await runWork(work, watched, this.dataSource);
      return () => resolve(result);
    } catch (error) {
      if (error instanceof DatabaseFault) throw error;
      if (hasChanged) throw new Spoilt();
      return () => reject(error);
    }
  };

  readonly #runInSavepoint: RunJob = async ({ work, resolve, reject }) => {
    await this.connection.execute('SAVEPOINT work');
    try {
      const result = await runWork(work, this.connection, this.dataSource);
      await this.connection.execute('RELEASE work');
      return () => resolve(result);
    } catch (error) {
      if (error instanceof DatabaseFault) throw error;
      await this.connection.execute('ROLLBACK TO work');
      await this.connection.execute('RELEASE work');
      return () => reject(error);
    }
  };

  async #rollback(): Promise<void> {
    try {
      await this.connection.execute('ROLLBACK');
    } catch {
      // There is none to roll back when SQLite has done it by itself.
    }
  }
}
