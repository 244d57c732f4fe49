import { type DataSource, type EntityManager, QueryResult, type QueryRunner } from 'typeorm';
import { DatabaseFault } from './database-fault.js';
import { Sql, type SqlValues } from './sql.js';

/** A connection, or a pool of connections, that reads. */
export interface ReaderConnection {
  /** Returns the rows as objects with the columns' names. @throws DatabaseFault */
  all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]>;
}

/** A connection that a transaction or a snapshot has for itself. */
export interface DatabaseConnection extends ReaderConnection {
  /** Whether statements can be sent before the ones before them have ended. None runs after one that has failed. */
  readonly isPipelined: boolean;
  /** Runs a statement of TypeORM's and returns the result that its own query runner would. @throws DatabaseFault */
  run(statement: Sql): Promise<QueryResult>;
  /** Cancels the running queries, and ends the transaction. */
  abort(): Promise<void>;
}

/** The reader, a snapshot, or an open transaction. Hot paths use `all`, everything else the manager. */
export interface Queryable extends ReaderConnection {
  /** TypeORM's EntityManager on this connection, with its repositories and query builders. */
  readonly manager: EntityManager;
}

/** Runs a query, and does something before and after it. */
export type AroundQuery = <Row>(query: () => Promise<Row[]>) => Promise<Row[]>;

/**
 * A unit of work. It awaits only its transaction (that of an import also a temporary file), and may run again when the
 * first run was rolled back. A fault of the database ends the transaction, even when the work catches it.
 */
export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/** Additional work in the transaction of a change. */
export interface ChangeHooks<Result> {
  /** Runs first. What it throws refuses the change. */
  readonly before: (transaction: Transaction) => Promise<void>;
  readonly after: (transaction: Transaction, stored: Result) => Promise<unknown>;
}

/**
 * The one unusual thing about TypeORM here: its repositories and query builders run on connections that Database chooses
 * (the reader, a snapshot, an open transaction), not on one that TypeORM takes. Everything else is as its documentation
 * says. So this is TypeORM's query runner for the database, with `query` replaced by ours.
 */
function managerOn(
  dataSource: DataSource,
  isTransactionActive: boolean,
  run: (statement: Sql) => Promise<QueryResult>,
): EntityManager {
  const runner = Object.create(dataSource.driver.createQueryRunner('master')) as QueryRunner;
  return Object.assign(runner, {
    isTransactionActive,
    // TypeORM turns a nested transaction into a savepoint.
    transactionDepth: isTransactionActive ? 1 : 0,
    // Its connection is not its own. TypeORM's `connect` would take another one out of the pool.
    connect: () => Promise.resolve(),
    release: () => Promise.resolve(),
    manager: dataSource.createEntityManager(runner),
    query: async (sql: string, parameters: unknown[] = [], useStructuredResult = false) => {
      const result = await run(Sql.once(sql, parameters));
      return useStructuredResult ? result : (result.raw as unknown);
    },
  }).manager;
}

/** Reads committed data. */
export class DatabaseReader implements Queryable {
  #manager: EntityManager | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: ReaderConnection,
  ) {}

  get manager(): EntityManager {
    return (this.#manager ??= managerOn(this.dataSource, false, async (statement) => {
      // A PostgreSQL pool would run it, outside of every transaction.
      if (!statement.isRead) throw new Error('The reader changes nothing; use Database.write.');
      const rows = await this.all(statement);
      return Object.assign(new QueryResult(), { raw: rows, records: rows });
    }));
  }

  all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    return this.connection.all(query, values);
  }
}

/** One state of the database; later writes are not visible. Close it: it holds a connection. */
export class Snapshot extends DatabaseReader {
  #closed: Promise<void> | undefined;

  constructor(
    dataSource: DataSource,
    private readonly open: DatabaseConnection,
    private readonly around: AroundQuery,
    private readonly onClose?: () => void,
  ) {
    super(dataSource, open);
  }

  override all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    return this.around(() => {
      if (this.#closed) throw new Error('The snapshot is closed.');
      return super.all(query, values);
    });
  }

  /** Also cancels the running query. */
  close(): Promise<void> {
    return (this.#closed ??= this.open.abort().finally(this.onClose));
  }
}

/**
 * An open transaction. It is valid until the work that received it has settled. Its statements run in their order, and
 * none runs after a fault.
 */
export class Transaction implements Queryable {
  /** Whether a statement may have changed something. */
  hasWritten = false;
  /** All rows that it has changed and on which cached responses depend, such as `posts/7`; undefined when it may be any. */
  changedRows: readonly string[] | undefined;
  /** For each {@link send}, what follows on its rows. */
  readonly #received: Promise<unknown>[] = [];
  #isOpen = true;
  /** The last statement. Rejected once a statement has failed. */
  #last: Promise<unknown> = Promise.resolve();
  #manager: EntityManager | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: DatabaseConnection,
  ) {}

  get manager(): EntityManager {
    return (this.#manager ??= managerOn(this.dataSource, true, (statement) =>
      this.#next(statement, () => this.connection.run(statement)),
    ));
  }

  all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    return this.#next(query, () => this.connection.all(query, values));
  }

  /**
   * Runs a statement without awaiting it, so that on PostgreSQL it goes to the server together with the next statement or
   * the COMMIT. A fault of it ends the transaction.
   *
   * @param receive gets the rows before the commit is acknowledged, but on PostgreSQL perhaps after it. What it throws
   *   ends the transaction.
   */
  send<Row>(query: Sql<Row>, values?: SqlValues, receive?: (rows: Row[]) => void): void {
    // Nothing awaits it, so the fault, which is that of the transaction, has no caller in its stack.
    const sent = new Error('sent');
    const received = this.all(query, values).then(receive, (fault: unknown) => {
      if (fault instanceof DatabaseFault) fault.sentBy ??= sent.stack;
      throw fault;
    });
    // The end of the transaction reports it.
    received.catch(() => undefined);
    this.#received.push(received);
  }

  /**
   * Runs the work. Statements after its end are rejected: they would join the transaction of another caller. Except in a
   * pipeline, where a COMMIT after a fault rolls back, all statements have then succeeded.
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
      if (!this.connection.isPipelined) await Promise.all([this.#last, ...this.#received]);
    }
  }

  /** Resolves when the rows of all statements that the work has not awaited were received. @throws their first fault */
  received(): Promise<unknown> {
    return Promise.all(this.#received);
  }

  #next<Result>({ isRead }: Sql, run: () => Promise<Result>): Promise<Result> {
    if (!this.#isOpen) throw new Error('The transaction is over.');
    this.hasWritten ||= !isRead;
    const result = this.connection.isPipelined ? run() : this.#last.then(run);
    this.#last = result;
    return result;
  }
}
