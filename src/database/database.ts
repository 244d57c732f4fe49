import type { DataSource } from 'typeorm';
import { Batches, type Company, type Outcomes } from './batches.js';
import { type Stopwatch, type WriteRefusal, WriteStopwatch } from './database-activity.js';
import type { Dialect } from './dialect.js';
import {
  type AroundQuery,
  type Queryable,
  Snapshot,
  type DatabaseConnection,
  type Transaction,
  type Work,
} from './transaction.js';

export { Batches } from './batches.js';
export type {
  AroundQuery,
  ChangeHooks,
  Queryable,
  ReaderConnection,
  Snapshot,
  Transaction,
  Work,
} from './transaction.js';

/** How many writes may wait. At some thousand writes a second, the last one waits about a second. */
const MAX_WAITING_WRITES = 5_000;

interface WriteLimits {
  /** How many transactions of one kind of write run at a time. */
  readonly maxBatches: number;
  /** How long a write waits for its transaction, in milliseconds. */
  readonly maxWaitMs?: number;
}

/**
 * The database as repositories use it: a reader, which sees only committed data, and a writer, which makes all changes.
 * (TypeORM alone uses one SQLite connection for all requests, so one request's insert would join another request's
 * transaction and be lost in its rollback.)
 */
export abstract class Database {
  constructor(
    protected readonly dataSource: DataSource,
    private readonly limits: WriteLimits,
  ) {
    this.#write = this.batched(
      async (transaction, [work]: readonly Work<unknown>[]) =>
        work ? [{ result: await work(transaction) }] : [],
      { maxItems: 1, maxRunning: Infinity },
    );
  }

  abstract readonly dialect: Dialect;

  /** For queries that read few rows: on SQLite they run one after another. Use a snapshot for slow queries. */
  abstract readonly reader: Queryable;

  /** The queries of {@link reader}, timed with their wait for a connection. */
  abstract readonly reads: Stopwatch;

  /** The writes, timed from the call until they are durable or refused. */
  readonly writes = new WriteStopwatch();

  /** The connections of the pool; undefined without a pool. */
  get connections(): Readonly<Record<'idle' | 'busy' | 'waiting', number>> | undefined {
    return undefined;
  }

  /**
   * Runs the work in its own transaction and resolves once the transaction is durable.
   *
   * @throws everything that the work throws, after its changes were rolled back
   * @throws DatabaseFault when the database cannot be reached or written, or too many writes wait already
   */
  write<Result>(work: Work<Result>): Promise<Result> {
    return this.#write(work) as Promise<Result>;
  }

  /**
   * Declares a kind of write.
   *
   * @param run makes the changes of some items in one transaction. An item that is alone has an outcome. A refused item
   *   must not have changed anything. When `run` throws, the transaction is rolled back, and the items run again one by
   *   one.
   * @returns makes one write of the kind, in a transaction with others that arrive at the same time, and resolves once
   *   the transaction is durable. It throws the reason of a refusal, and what {@link write} throws.
   */
  batched<Item, Result>(
    run: (transaction: Transaction, items: readonly Item[]) => Promise<Outcomes<Result>>,
    { maxItems, maxRunning = this.limits.maxBatches }: { maxItems?: number; maxRunning?: number } = {},
  ): (item: Item, company?: Company) => Promise<Result> {
    const batches = new Batches<Item, Result>({
      maxItems,
      maxRunning,
      maxWaiting: MAX_WAITING_WRITES,
      maxWaitMs: this.limits.maxWaitMs,
      run: (take) => this.commit((transaction) => run(transaction, take())),
    });
    this.#batches.push(batches);
    return (item, company) => this.writes.time(batches.add(item, company));
  }

  readonly #batches: { readonly waiting: number }[] = [];
  readonly #write: (work: Work<unknown>) => Promise<unknown>;

  /** Runs the work in a transaction, and resolves once it is durable. */
  protected abstract commit<Result>(work: Work<Result>): Promise<Result>;

  /** How many writes wait for their transaction. */
  get waitingWrites(): number {
    return this.#batches.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** Like {@link write}, for work that may take long, or is not urgent: it waits for its turn without a limit. */
  writeAtLength<Result>(work: Work<Result>): Promise<Result> {
    return this.writes.time(this.commit(work));
  }

  /** How long that work may run: where other writes wait for it, not for ever. In milliseconds. */
  readonly maxWriteMs: number = Infinity;

  /**
   * Whether {@link onChange} announces every change. False on PostgreSQL, where other processes write too: querying it
   * for changes takes as long as querying the post.
   */
  readonly announcesChanges: boolean = false;
  readonly #listeners: ((rows: readonly string[] | undefined) => void)[] = [];

  /**
   * @param listener called before a commit is acknowledged, with the rows that it concerns, such as `posts/7`; undefined
   *   when any row may have changed
   */
  onChange(listener: (rows: readonly string[] | undefined) => void): void {
    this.#listeners.push(listener);
  }

  protected announce(rows?: readonly string[]): void {
    for (const listener of this.#listeners) listener(rows);
  }

  /**
   * When the oldest transaction began that this process is writing, in milliseconds since 1970; undefined when it writes
   * none, and on PostgreSQL, which has other writers too.
   */
  readonly oldestWriteMs: number | undefined = undefined;

  /** How many snapshots may be open at a time. */
  abstract readonly maxSnapshots: number;

  /**
   * Opens a snapshot of the committed state, for reading at any speed.
   *
   * @param around runs each of its queries, also those of its manager
   */
  async snapshot(around: AroundQuery = (query) => query(), onClose?: () => void): Promise<Snapshot> {
    return new Snapshot(this.dataSource, await this.beginSnapshot(), around, onClose);
  }

  /** Connects for a snapshot. Its first query fixes the state that it sees. */
  protected abstract beginSnapshot(): Promise<DatabaseConnection>;

  /** @returns why the database accepts no writes at the moment, if it does not @throws DatabaseFault */
  abstract ping(): Promise<WriteRefusal | undefined>;
}
