import type { DataSource, QueryResult } from 'typeorm';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import { WriteStopwatch } from '../database-activity.js';
import { DatabaseFault } from '../database-fault.js';
import { MAX_WAITING_WRITES, type Work, type WriterConnection } from '../database.js';
import { runWork } from '../entity-manager.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { SqliteCheckpoints } from './write-ahead-log.js';

/**
 * How many writes share a commit: enough to spread the cost of its fsync, few enough for a short wait of the first one.
 */
const MAX_GROUP = 200;
/** Background work counts as over, or paused, after this many transactions without any. */
const FOLLOWING = 20;

interface Job {
  /** The queue it waits in, and returns to for another run. */
  readonly queue: Job[];
  readonly work: Work<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs a job in the open transaction. Returns a function that settles the job's promise once the transaction is
 * durable.
 *
 * @throws DatabaseFault when the database, not the work, failed; the whole transaction is then void
 * @throws Spoilt
 */
type RunJob = (job: Job) => Promise<() => void>;

/** A write failed after it had changed something. The transaction must not be committed as it is. */
class Spoilt extends Error {}

/**
 * The queue for all writes to a SQLite file.
 *
 * All waiting writes go into one transaction and are acknowledged after its COMMIT. This is as durable as one commit
 * per write, and the writes share the cost of the fsync. A write rarely fails after it has changed something, because
 * refusals come first. When it does, all writes of the group run again, each in its own savepoint. Savepoints for every
 * write would cost two more trips through sqlite3's thread pool each, half of the time of a create.
 */
export class SqliteWriter {
  readonly #waiting: Job[] = [];
  readonly #inBackground: Job[] = [];
  #running: Promise<void> | undefined;
  /** How many transactions remain until FTS5's hash table is reset; 0 when no reset is due. */
  #following = 0;

  readonly stopwatch = new WriteStopwatch();

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: SqliteConnection,
    private readonly checkpoints: SqliteCheckpoints,
  ) {}

  /** @throws DatabaseFault `busy` when too many writes wait already */
  write<Result>(work: Work<Result>): Promise<Result> {
    if (this.#waiting.length >= MAX_WAITING_WRITES) return Promise.reject(new DatabaseFault('busy'));
    return this.stopwatch.time(this.#queue(this.#waiting, work));
  }

  /**
   * Runs the work in its turn. Each transaction takes at most one background job, and the writes that arrive meanwhile
   * join it.
   */
  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    return this.#queue(this.#inBackground, work);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when the queues are empty. */
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
      // Writes that waited for a background job go before the next background job.
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
   * FTS5 keeps the words of a transaction in a hash table that only grows, and scans all of it at each COMMIT.
   * Measured, this costs 150 µs per commit after an import, for the rest of the connection's life. Reloading the schema
   * recreates the table.
   */
  async #follow(): Promise<void> {
    this.#following -= 1;
    if (this.#following > 0) return;
    await this.connection.execute('PRAGMA writable_schema = RESET').catch(() => undefined);
  }

  /** Takes the waiting writes, up to a full group. */
  #takeWaiting(size: number): Job[] {
    return this.#waiting.splice(0, MAX_GROUP - size);
  }

  /**
   * Commits the jobs in one transaction. Writes that arrive meanwhile join it.
   *
   * @returns the jobs to run again because another job's fault undid their changes; undefined when the transaction was
   *   spoilt and no job was settled
   */
  async #commitTogether(jobs: Job[], run: RunJob): Promise<readonly Job[] | undefined> {
    const settle: (() => void)[] = [];
    const startedAt = performance.now();
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
        // SQLite may have rolled back the whole transaction (SQLITE_FULL, SQLITE_IOERR:
        // https://sqlite.org/lang_transaction.html). Later statements would then run outside of it. So no job is
        // acknowledged, and the other jobs run again.
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
    this.stopwatch.committed(startedAt, jobs.length);
    // A refusal also waits for the commit: it may depend on changes of another write in the group.
    for (const settleJob of settle) settleJob();
    return [];
  }

  readonly #run: RunJob = async ({ work, resolve, reject }) => {
    const statements = new JobStatements(this.connection);
    try {
      const result = await runWork(work, statements, this.dataSource);
      await statements.settled();
      return () => resolve(result);
    } catch (error) {
      if (error instanceof DatabaseFault) throw error;
      await statements.settled();
      if (statements.hasChanged) throw new Spoilt();
      return () => reject(error);
    }
  };

  readonly #runInSavepoint: RunJob = async ({ work, resolve, reject }) => {
    const statements = new JobStatements(this.connection);
    await this.connection.execute('SAVEPOINT work');
    try {
      const result = await runWork(work, statements, this.dataSource);
      await statements.settled();
      await this.connection.execute('RELEASE work');
      return () => resolve(result);
    } catch (error) {
      if (error instanceof DatabaseFault) throw error;
      await statements.settled();
      await this.connection.execute('ROLLBACK TO work');
      await this.connection.execute('RELEASE work');
      return () => reject(error);
    }
  };

  async #rollback(): Promise<void> {
    try {
      await this.connection.execute('ROLLBACK');
    } catch {
      // SQLite has already rolled back by itself.
    }
  }
}

/** Runs the statements of a job one after another, also those that it does not await. None runs after a fault. */
class JobStatements implements WriterConnection {
  hasChanged = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly connection: SqliteConnection) {}

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    return this.#next(query, () => this.connection.all<Row>(query, values));
  }

  run(statement: CompiledQuery): Promise<QueryResult> {
    return this.#next(statement, () => this.connection.run(statement));
  }

  /** Resolves when all statements have run. @throws the fault of one of them */
  async settled(): Promise<void> {
    await this.#last;
  }

  #next<Outcome>({ isRead }: CompiledQuery, run: () => Promise<Outcome>): Promise<Outcome> {
    this.hasChanged ||= !isRead;
    const outcome = this.#last.then(run);
    this.#last = outcome;
    return outcome;
  }
}
