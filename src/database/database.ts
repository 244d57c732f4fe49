import type { EntityManager, QueryResult } from 'typeorm';
import type { CompiledQuery, QueryValues } from './compiled-query.js';
import type { DatabaseActivity, WriteRefusal } from './database-activity.js';
import type { Dialect } from './dialect.js';
import type { Snapshots } from './snapshots.js';

/** How many writes may wait. At some thousand writes a second, the last one waits about a second. */
export const MAX_WAITING_WRITES = 5_000;

/** A connection, or a pool of connections, that reads. */
export interface ReaderConnection {
  /** Returns the rows as objects with the columns' names. @throws DatabaseFault */
  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]>;
}

/** A connection in a transaction. */
export interface WriterConnection extends ReaderConnection {
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
 * The database as repositories use it: a reader, which sees only committed data, and a writer, which makes all changes.
 * (TypeORM alone uses one SQLite connection for all requests, so one request's insert would join another request's
 * transaction and be lost in its rollback.)
 */
export abstract class Database {
  abstract readonly dialect: Dialect;

  /** For queries that read few rows: on SQLite they run one after another. Use a snapshot for slow queries. */
  abstract readonly reader: Queryable;

  abstract readonly activity: DatabaseActivity;

  /**
   * Runs the work in its own transaction and resolves once the transaction is durable.
   *
   * @throws everything that the work throws, after its changes were rolled back
   * @throws DatabaseFault when the database cannot be reached or written, or too many writes wait already
   */
  abstract write<Result>(work: Work<Result>): Promise<Result>;

  /**
   * Like {@link write}, for one of the many transactions of a long task. Other writes run between these transactions.
   */
  abstract writeInBackground<Result>(work: Work<Result>): Promise<Result>;

  /**
   * A token that changes with every commit of any process, before the commit is acknowledged; undefined when the
   * database has no fast way to detect commits.
   */
  abstract changeToken(): number | undefined;

  protected abstract readonly snapshots: Snapshots;

  /** How many snapshots can be open at a time. */
  get maxSnapshots(): number {
    return this.snapshots.maxOpen;
  }

  /**
   * Opens a snapshot of the committed state, for reading at any speed.
   *
   * @throws DatabaseFault `busy` when too many are open already
   */
  snapshot(): Promise<Snapshot> {
    return this.snapshots.open();
  }

  /** The size on the disk, in bytes. */
  async size(): Promise<number> {
    const [row] = await this.reader.all<{ bytes: number }>(this.dialect.sizeQuery);
    return row!.bytes;
  }

  /** @returns why the database accepts no writes at the moment, if it does not @throws DatabaseFault */
  abstract ping(): Promise<WriteRefusal | undefined>;

  /** Notes where the service listens, for commands that find the database in use. */
  noteServiceUrl(_url: string): Promise<void> {
    return Promise.resolve();
  }

  abstract close(): Promise<void>;
}
