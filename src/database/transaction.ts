import type { DataSource, EntityManager, QueryResult } from 'typeorm';
import type { CompiledQuery, QueryValues } from './compiled-query.js';
import { readingManager, writingManager } from './entity-manager.js';

/** A connection, or a pool of connections, that reads. */
export interface ReaderConnection {
  /** Returns the rows as objects with the columns' names. @throws DatabaseFault */
  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]>;
}

/** A connection in a transaction. */
export interface WriterConnection extends ReaderConnection {
  /** Whether statements can be sent before the ones before them have ended. None runs after one that has failed. */
  readonly isPipelined: boolean;
  /** Runs a statement of TypeORM's and returns the result that its own query runner would. @throws DatabaseFault */
  run(statement: CompiledQuery): Promise<QueryResult>;
}

/** The reader, a snapshot, or an open transaction. Hot paths use `all`, everything else the manager. */
export interface Queryable extends ReaderConnection {
  /** TypeORM's EntityManager on this connection, with its repositories and query builders. */
  readonly manager: EntityManager;
}

/**
 * An open transaction. It is valid until the work that received it has settled. Its statements run in their order, and
 * none runs after a fault.
 */
export interface Transaction extends Queryable {
  /**
   * Runs a statement whose rows do not matter. It is not awaited, so that on PostgreSQL it goes to the server together
   * with the next statement or the COMMIT. A fault of it ends the transaction.
   */
  send(query: CompiledQuery, values?: QueryValues): void;
}

/** One state of the database; later writes are not visible. Close it: it holds a connection. */
export interface Snapshot extends Queryable {
  /** Also cancels the running query. */
  close(): Promise<void>;
}

/**
 * A unit of work. It awaits only its transaction, and may run again when the first run was rolled back. A fault of the
 * database ends the transaction, even when the work catches it.
 */
export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/**
 * What became of one write of a batch. A result may be a promise for the rows of a statement that the transaction has
 * sent, so that the batch need not wait for them before the COMMIT.
 */
export type Outcome<Result> = { readonly result: Result | Promise<Result> } | { readonly refused: unknown };

/** One outcome for each item; undefined for an item that must run without the others. */
export type Outcomes<Result> = readonly (Outcome<Result> | undefined)[];

/** Writes of one kind, which share statements when they arrive at the same time. */
export interface WriteBatch<Item, Result> {
  /** Items with the same key never run together. */
  keyOf?(item: Item): unknown;
  /** The length of the item's texts, in UTF-16 units. */
  lengthOf?(item: Item): number;
  /**
   * Makes the changes of these items in one transaction. An item that is alone has an outcome. A refused item must not
   * have changed anything.
   *
   * @throws to roll back; the items then run again one by one
   */
  run(transaction: Transaction, items: readonly Item[]): Promise<Outcomes<Result>>;
}

/** A connection that reads, and TypeORM's EntityManager on it. */
export class DatabaseReader implements Queryable {
  #manager: EntityManager | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: ReaderConnection,
  ) {}

  get manager(): EntityManager {
    return (this.#manager ??= readingManager(this.dataSource, (statement) => this.all(statement)));
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    return this.connection.all(query, values);
  }
}

/** The open transaction of a connection, for one unit of work. */
export class OpenTransaction implements Transaction {
  /** Whether a statement may have changed something. */
  hasWritten = false;
  #isOpen = true;
  /** The last statement. Rejected once a statement has failed. */
  #last: Promise<unknown> = Promise.resolve();
  #manager: EntityManager | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: WriterConnection,
  ) {}

  get manager(): EntityManager {
    return (this.#manager ??= writingManager(this.dataSource, (statement) =>
      this.#next(statement, () => this.connection.run(statement)),
    ));
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    return this.#next(query, () => this.connection.all<Row>(query, values));
  }

  send(query: CompiledQuery, values?: QueryValues): void {
    // The fault is that of the transaction.
    this.all(query, values).catch(() => undefined);
  }

  /**
   * Runs the work and all statements that it has not awaited, except those that go to the server with the COMMIT.
   * Statements after its end are rejected: they would join the transaction of another caller.
   *
   * @throws the fault of a statement, even when the work has caught it: the transaction may be void (SQLITE_FULL, any
   *   fault of PostgreSQL), and later statements may be lost or have run outside of it
   */
  async complete<Result>(work: Work<Result>): Promise<Result> {
    try {
      return await work(this);
    } finally {
      this.#isOpen = false;
      // The first fault is the cause of the others.
      if (!this.connection.isPipelined) await this.#last;
    }
  }

  #next<Result>({ isRead }: CompiledQuery, run: () => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) throw new Error('The transaction is over.');
    this.hasWritten ||= !isRead;
    const result = this.connection.isPipelined ? run() : this.#last.then(run);
    this.#last = result;
    return result;
  }
}
