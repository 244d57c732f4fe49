import type { DataSource } from 'typeorm';
import { Batches, type ItemOptions, type Outcomes } from './batches.js';
import { DatabaseFault } from './database-fault.js';
import { type Stopwatch, type WaitTimes, type WriteRefusal, WriteStopwatch } from './database-activity.js';
import type { Client, ClientQuota } from '../limits/index.js';
import type { Dialect } from './dialect.js';
import type { Sql, SqlValues } from './sql.js';
import {
  type AroundQuery,
  DatabaseReader,
  type Queryable,
  Snapshot,
  type DatabaseConnection,
  type Transaction,
  type Work,
} from './transaction.js';

export type { AroundQuery, ChangeHooks, Queryable, Snapshot, Transaction, Work } from './transaction.js';

/** How many writes may wait. At some thousand writes a second, the last one waits about a second. */
export const MAX_WAITING_WRITES = 5_000;

/** How many reads may wait for their turn. Every request with a token has one. */
export const MAX_WAITING_READS = 5_000;

/** The writes of no client, such as those of the service: they are short. */
const OTHER_WRITES: Client = { name: 'other writes' };

/** The result of an item that a batch has left as it is, because it needs a transaction of its own. */
export const ALONE = Symbol('alone');

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
  ) {}

  abstract readonly dialect: Dialect;

  /** For queries that read few rows: on SQLite they run one after another. Use a snapshot for slow queries. */
  abstract readonly reader: Queryable;

  /**
   * The {@link reader} for one client: its queries wait for their turn, and one client has at most a quarter of the queries
   * that run at once.
   *
   * @param client undefined for the service itself
   * @throws TooBusy after some seconds, or when too many queries wait already
   * @throws the reason of its signal when it disconnects while it waits
   */
  readerOf(client: Client | undefined): Queryable {
    if (!client) return this.reader;
    return new DatabaseReader(this.dataSource, {
      all: (query, values) => this.readFor(client, query, values),
    });
  }

  protected async readFor<Row>(client: Client, query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    const release = await this.clientReads.wait(client);
    return this.read(query, values).finally(release);
  }

  /** Runs a query of the {@link reader}. */
  protected abstract read<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]>;

  /** The queries of clients that run at once. */
  protected abstract readonly clientReads: ClientQuota;

  /**
   * The transactions of single writes that run at once, or wait for the one that runs. Batches are few, and those of all
   * clients.
   */
  protected abstract readonly singleWrites: ClientQuota;

  /** The transactions of {@link writeAtLength} that run at once, where each takes a connection of a pool. */
  protected readonly longWrites: ClientQuota | undefined = undefined;

  /** The queries of {@link reader}, timed with their wait for a connection. */
  abstract readonly reads: Stopwatch;

  /** The writes, timed from the call until they are durable or refused. */
  readonly writes = new WriteStopwatch();

  /** The waits for a connection of the pool; undefined without a pool. */
  readonly connectionWaits: WaitTimes | undefined;

  /** The connections of the pool; undefined without a pool. */
  get connections(): Readonly<Record<'idle' | 'busy' | 'waiting', number>> | undefined {
    return undefined;
  }

  /**
   * Runs the work in its own transaction and resolves once the transaction is durable.
   *
   * @param client has at most a quarter of the connections; on SQLite, one of its writes at a time is in the line for the
   *   one connection
   * @throws everything that the work throws, after its changes were rolled back
   * @throws DatabaseFault when the database cannot be reached or written, or too many writes wait already
   * @throws TooBusy when too many writes of the client wait already, or it has waited for some seconds
   */
  write<Result>(work: Work<Result>, client?: Client): Promise<Result> {
    return this.writes.time(this.#commitSingle(work, client));
  }

  async #commitSingle<Result>(work: Work<Result>, client = OTHER_WRITES): Promise<Result> {
    const startedAt = performance.now();
    const release = await this.singleWrites.wait(client);
    return this.#commitInTime(work, performance.now() - startedAt).finally(release);
  }

  /**
   * Declares a kind of write.
   *
   * @param run makes the changes of some items in one transaction. A refused item must not have changed anything. When
   *   `run` throws, the transaction is rolled back, and the items run again one by one.
   * @returns makes one write of the kind, in a transaction with others that arrive at the same time, and resolves once
   *   the transaction is durable. It throws the reason of a refusal, and what {@link write} throws.
   */
  batched<Item, Result>(
    run: (transaction: Transaction, items: readonly Item[]) => Promise<Outcomes<Result | typeof ALONE>>,
    { maxItems, maxRunning = this.limits.maxBatches }: { maxItems?: number; maxRunning?: number } = {},
  ): (item: Item, itemOptions?: ItemOptions) => Promise<Result> {
    const batches = new Batches<Item, Result | typeof ALONE>({
      maxItems,
      maxRunning,
      maxWaiting: MAX_WAITING_WRITES,
      maxWaitMs: this.limits.maxWaitMs,
      takesTurns: true,
      run: (take) => this.commit((transaction) => run(transaction, take())),
    });
    this.#batches.push(batches);
    const write = async (item: Item, itemOptions?: ItemOptions): Promise<Result> => {
      const result = await batches.add(item, itemOptions);
      if (result !== ALONE) return result;
      return this.#commitSingle((transaction) => runOne(run, transaction, item), itemOptions?.client);
    };
    return (item, itemOptions) => this.writes.time(write(item, itemOptions));
  }

  readonly #batches: { readonly waiting: number }[] = [];
  /** How many works of {@link write} wait for their transaction. */
  #waitingAlone = 0;

  /**
   * Commits the work, unless its transaction cannot begin in time.
   *
   * @param waitedMs how long it has waited already
   * @throws DatabaseFault `busy`
   */
  #commitInTime<Result>(work: Work<Result>, waitedMs: number): Promise<Result> {
    if (this.#waitingAlone >= MAX_WAITING_WRITES) return Promise.reject(new DatabaseFault('busy'));
    const { maxWaitMs } = this.limits;
    this.#waitingAlone += 1;
    let isWaiting = true;
    const endWait = (): void => {
      if (isWaiting) this.#waitingAlone -= 1;
      isWaiting = false;
    };
    return new Promise((resolve, reject) => {
      let hasGivenUp = false;
      const giveUp = (): void => {
        hasGivenUp = true;
        endWait();
        reject(new DatabaseFault('busy'));
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs - waitedMs).unref();
      const begun: Work<Result> = (transaction) => {
        clearTimeout(timer);
        endWait();
        if (hasGivenUp) throw new DatabaseFault('busy');
        return work(transaction);
      };
      void this.commit(begun)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          endWait();
        });
    });
  }

  /** Runs the work in a transaction, and resolves once it is durable. */
  protected abstract commit<Result>(work: Work<Result>): Promise<Result>;

  /** How many writes wait for their transaction. */
  get waitingWrites(): number {
    const alone = this.singleWrites.waiting + this.#waitingAlone;
    return this.#batches.reduce((sum, { waiting }) => sum + waiting, alone);
  }

  /** Is told what a listener throws after a commit; see {@link Transaction.afterCommit}. */
  onListenerFault: (fault: unknown) => void = () => undefined;

  /**
   * Like {@link write}, for work that may take long, or is not urgent: it waits for its turn without a limit.
   *
   * @throws the reason of the client's signal when it disconnects while it waits
   */
  writeAtLength<Result>(work: Work<Result>, client?: Client): Promise<Result> {
    return this.writes.time(this.#commitAtLength(work, client));
  }

  async #commitAtLength<Result>(work: Work<Result>, client = OTHER_WRITES): Promise<Result> {
    const release = await this.longWrites?.wait(client);
    return this.commit(work).finally(release);
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

  /** How large its parts are, in bytes; without one while it does not respond. */
  abstract sizes(): Promise<Readonly<Record<string, number>>>;

  /** When it was backed up last, in seconds since 1970; 0 when it never was. */
  abstract lastBackup(): Promise<number>;

  /** @returns why the database accepts no writes at the moment, if it does not @throws DatabaseFault */
  abstract ping(): Promise<WriteRefusal | undefined>;
}

/** Runs a kind of write for an item that has its transaction alone. */
async function runOne<Item, Result>(
  run: (transaction: Transaction, items: readonly Item[]) => Promise<Outcomes<Result | typeof ALONE>>,
  transaction: Transaction,
  item: Item,
): Promise<Result> {
  const [outcome] = await run(transaction, [item]);
  // It is the reason that the write is rejected with, whatever it is.
  // oxlint-disable-next-line typescript/only-throw-error
  if (outcome && 'refused' in outcome) throw outcome.refused;
  if (!outcome || outcome.result === ALONE) throw new Error('An item alone has no outcome.');
  return outcome.result;
}
