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
      if (!statement.isRead)
        throw new Error(
          'The reader runs only statements that read: SELECT, VALUES, EXPLAIN, and WITH without a change. ' +
            'For all others, use Database.write.',
        );
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
export abstract class Transaction implements Queryable {
  /** Whether a statement may have changed something. */
  hasWritten = false;
  /** All rows that it has changed and on which cached responses depend, such as `posts/7`; undefined when it may be any. */
  changedRows: readonly string[] | undefined;
  /** False after the work: a later statement would join the transaction of another caller. */
  protected isOpen = true;
  readonly #afterCommit: (() => void)[] = [];
  #manager: EntityManager | undefined;

  constructor(
    private readonly dataSource: DataSource,
    protected readonly connection: DatabaseConnection,
  ) {}

  get manager(): EntityManager {
    return (this.#manager ??= managerOn(this.dataSource, true, (statement) =>
      this.next(statement, () => this.connection.run(statement)),
    ));
  }

  all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    return this.next(query, () => this.connection.all(query, values));
  }

  /**
   * Runs a statement without awaiting it, so that on PostgreSQL it goes to the server together with the next statement or
   * the COMMIT. A fault of it ends the transaction.
   *
   * @param receive gets the rows before the commit is acknowledged, but on PostgreSQL perhaps after it. What it throws
   *   ends the transaction.
   */
  abstract send<Row>(query: Sql<Row>, values?: SqlValues, receive?: (rows: Row[]) => void): void;

  /**
   * Calls the listener when the transaction is durable, or may be, before the write is acknowledged. Without a commit, it
   * is never called. It is not called either when the process ends in between: what must not be lost belongs into the
   * transaction.
   */
  afterCommit(listener: () => void): void {
    this.#afterCommit.push(listener);
  }

  /** Calls the listeners. @param report gets what they throw: the change is stored all the same */
  announceCommit(report: (fault: unknown) => void): void {
    for (const listener of this.#afterCommit) {
      try {
        listener();
      } catch (fault) {
        report(fault);
      }
    }
  }

  /**
   * Runs the work. Statements after its end are rejected.
   *
   * @throws what the work throws, and the fault of a statement that has ended by then, even when the work has caught it:
   *   the transaction may be void (SQLITE_FULL, any fault of PostgreSQL), and later statements may be lost
   */
  abstract complete<Result>(work: Work<Result>): Promise<Result>;

  /** Runs a statement after those before it. */
  protected abstract run<Result>(statement: () => Promise<Result>): Promise<Result>;

  protected next<Result>({ isRead }: Sql, statement: () => Promise<Result>): Promise<Result> {
    if (!this.isOpen) throw new Error('The transaction is over.');
    this.hasWritten ||= !isRead;
    return this.run(statement);
  }
}

/** Names the caller of a statement that nothing awaits, whose fault has no caller in its stack. */
export async function withCaller<Result>(sent: Error, statement: Promise<Result>): Promise<Result> {
  try {
    return await statement;
  } catch (fault) {
    if (fault instanceof DatabaseFault) fault.sentBy ??= sent.stack;
    throw fault;
  }
}
