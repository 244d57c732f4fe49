import { setImmediate } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Batches } from '../batches.js';
import { CompiledQuery } from '../compiled-query.js';
import { WriteStopwatch } from '../database-activity.js';
import { DatabaseFault } from '../database-fault.js';
import { MAX_WAITING_WRITES } from '../database.js';
import { OpenTransaction, type Outcome, type Outcomes, type Work, type WriteBatch } from '../transaction.js';
import type { SqliteCheckpoints } from './sqlite-checkpoints.js';
import type { SqliteConnection } from './sqlite-connection.js';

const BEGIN = CompiledQuery.fromText('BEGIN IMMEDIATE');
const COMMIT = CompiledQuery.fromText('COMMIT');

/** A write that waits: one item of a batch. */
interface Write {
  readonly batch: WriteBatch<unknown, unknown>;
  readonly item: unknown;
}

/** The import counts as over, or paused, after this many transactions without background work. */
const FOLLOWING = 20;

/**
 * All writes to a SQLite file, in one transaction at a time.
 *
 * The writes that wait go into one transaction and are acknowledged after its COMMIT. This is as durable as one commit
 * per write, and the writes share the cost of the fsync. A write rarely fails after it has changed something, because
 * refusals come first. When it does, the transaction is rolled back, and each of its writes runs again in its own.
 */
export class SqliteWriter {
  readonly #writes = new Batches<Write, unknown>({
    maxRunning: 1,
    maxWaiting: MAX_WAITING_WRITES,
    keyOf: ({ batch, item }) => batch.keyOf?.(item),
    lengthOf: ({ batch, item }) => batch.lengthOf?.(item) ?? 0,
    run: (writes) => this.#inTurn(writes),
  });
  /** The last transaction that waits for its turn. */
  #last: Promise<unknown> = Promise.resolve();
  #background: Promise<unknown> = Promise.resolve();
  /** How many transactions remain until FTS5's hash table is reset; 0 when no reset is due. */
  #following = 0;

  readonly stopwatch = new WriteStopwatch();
  /** When the open transaction began, in milliseconds since 1970. */
  openSinceMs: number | undefined;
  /** How many transactions have ended. */
  commits = 0;

  /** @param assertUsable called before each transaction; what it throws refuses the writes */
  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: SqliteConnection,
    private readonly checkpoints: SqliteCheckpoints,
    private readonly assertUsable: () => void = () => undefined,
  ) {}

  /** @throws DatabaseFault `busy` when too many writes wait already */
  write<Result>(work: Work<Result>): Promise<Result> {
    return this.writeBatched(asBatch(work), undefined);
  }

  /** @throws DatabaseFault `busy` when too many writes wait already */
  writeBatched<Item, Result>(batch: WriteBatch<Item, Result>, item: Item): Promise<Result> {
    return this.stopwatch.time(this.#writes.add({ batch, item }) as Promise<Result>);
  }

  /** Runs the work in its turn: the writes that wait go before the next background work. */
  writeInBackground<Result>(work: Work<Result>): Promise<Result> {
    const result = this.#background.then(() => this.#runInBackground(work));
    this.#background = result.catch(() => undefined);
    return result;
  }

  async #runInBackground<Result>(work: Work<Result>): Promise<Result> {
    // Lets writes that have arrived meanwhile take their turn first.
    await setImmediate();
    const [outcome] = await this.#inTurn([{ batch: asBatch(work), item: undefined }], FOLLOWING);
    if ('refused' in outcome!) throw outcome.refused;
    return outcome!.result as Result;
  }

  get waiting(): number {
    return this.#writes.waiting;
  }

  /** Resolves when all writes have ended. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last || this.#writes.isBusy;) {
      await this.#background;
      last = this.#last;
      await this.#last;
      await setImmediate();
    }
  }

  #inTurn(writes: readonly Write[], following?: number): Promise<Outcomes<unknown>> {
    const result = this.#last.then(() => this.#commit(writes));
    const afterwards = (): Promise<void> => this.#afterwards(following);
    this.#last = result.then(afterwards, afterwards);
    return result;
  }

  async #commit(writes: readonly Write[]): Promise<Outcomes<unknown>> {
    const startedAt = performance.now();
    this.openSinceMs = Date.now();
    try {
      this.assertUsable();
      await this.connection.all(BEGIN);
      const outcomes =
        writes.length === 1 ? await this.#run(writes[0]!.batch, writes) : await this.#runAll(writes);
      await this.connection.all(COMMIT);
      this.stopwatch.committed(startedAt, writes.length);
      return outcomes;
    } catch (fault) {
      // SQLite has rolled back by itself after some faults (https://sqlite.org/lang_transaction.html), and refuses this.
      await this.connection.execute('ROLLBACK').catch(() => undefined);
      throw fault;
    } finally {
      // Also after a fault of the COMMIT, which may have been written.
      this.commits += 1;
      this.openSinceMs = undefined;
    }
  }

  /** Runs the writes of each batch together. */
  async #runAll(writes: readonly Write[]): Promise<Outcomes<unknown>> {
    const outcomes = new Map<Write, Outcome<unknown> | undefined>();
    for (const batch of new Set(writes.map((write) => write.batch))) {
      const group = writes.filter((write) => write.batch === batch);
      const found = await this.#run(batch, group);
      group.forEach((write, index) => outcomes.set(write, found[index]));
    }
    return writes.map((write) => outcomes.get(write));
  }

  /** @throws when something must be rolled back */
  async #run(batch: Write['batch'], group: readonly Write[]): Promise<Outcomes<unknown>> {
    const transaction = new OpenTransaction(this.dataSource, this.connection);
    const items = group.map(({ item }) => item);
    try {
      return await transaction.completeBatch(batch, items);
    } catch (error) {
      // A fault of the database may have ended the transaction.
      if (group.length > 1 || transaction.hasChanged || error instanceof DatabaseFault) throw error;
      return [{ refused: error }];
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

/** A batch of its own for work that shares no statements. */
function asBatch<Result>(work: Work<Result>): WriteBatch<undefined, Result> {
  return { run: async (transaction) => [{ result: await work(transaction) }] };
}
