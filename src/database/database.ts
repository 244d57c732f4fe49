import type { EntityManager, QueryResult } from 'typeorm';
import type { CompiledQuery, QueryValues } from './compiled-query.js';
import type { Dialect } from './dialect.js';
import type { Snapshots } from './snapshots.js';

/** Something that reads: a connection, or a pool of them. */
export interface ReaderConnection {
  /** The rows of a query, each an object of its columns' names. @throws DatabaseFault */
  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]>;
}

/** A connection in a transaction. */
export interface WriterConnection extends ReaderConnection {
  /** Runs a statement of TypeORM's and gives what its own query runners give. @throws DatabaseFault */
  run(statement: CompiledQuery): Promise<QueryResult>;
}

/** The reader, a snapshot, or an open transaction. Hot paths use `all`, everything else the manager. */
export interface Queryable extends ReaderConnection {
  /** TypeORM's EntityManager on this connection, with its repositories and query builders. */
  readonly manager: EntityManager;
}

/** An open transaction. It is valid until the work it was given to has settled. */
export interface Transaction extends Queryable {}

/** One state of the database, whatever is written meanwhile. It must be closed: it holds what it was made from. */
export interface Snapshot extends Queryable {
  /** Cancels the query that runs. */
  close(): Promise<void>;
}

/**
 * A unit of work: it awaits nothing but its transaction, and may be run again when the first run was rolled back. A fault
 * of the database ends the transaction, even when the work catches it.
 */
export type Work<Result> = (transaction: Transaction) => Promise<Result>;

/**
 * The database as repositories see it: a reader, which sees only what was committed, and a writer, through which every
 * change goes. (SQLite through TypeORM alone is one connection for all requests, so one request's insert would join
 * another's transaction and vanish with it.)
 */
export abstract class Database {
  abstract readonly dialect: Dialect;

  /** For queries that look at few rows: on SQLite each waits for those before it. Slow ones are read from a snapshot. */
  abstract readonly reader: Queryable;

  abstract readonly activity: DatabaseActivity;

  /**
   * Runs the work in a transaction of its own and resolves once it is durable.
   *
   * @throws whatever the work throws, after its changes were rolled back
   * @throws DatabaseFault when the database cannot be reached or written, or too much waits already
   */
  abstract write<Result>(work: Work<Result>): Promise<Result>;

  /** As {@link write}, for a part of something that is done in many transactions: others do not wait for all of them. */
  abstract writeInBackground<Result>(work: Work<Result>): Promise<Result>;

  /**
   * A token that changes with every commit, by whatever process, before it is acknowledged; undefined when the database
   * has no cheap way to tell.
   */
  abstract changeToken(): number | undefined;

  protected abstract readonly snapshots: Snapshots;

  /** How many snapshots can be open at a time. */
  get maxSnapshots(): number {
    return this.snapshots.maxOpen;
  }

  /**
   * Opens the state that is committed now, for reading at any pace.
   *
   * @throws DatabaseFault `busy` when too many are open already
   */
  snapshot(): Promise<Snapshot> {
    return this.snapshots.open();
  }

  /** Resolves when the database answers. @throws DatabaseFault */
  abstract ping(): Promise<void>;

  /** Lets go of everything that is open. */
  abstract close(): Promise<void>;
}

/** Adds up how often something was done, and how long it took. */
export class Stopwatch {
  count = 0;
  milliseconds = 0;

  /** @param startedAt when it began, by `performance.now()` */
  stop(startedAt: number): void {
    this.count += 1;
    this.milliseconds += performance.now() - startedAt;
  }
}

/** What the database was and is busy with, for those who operate the service. */
export interface DatabaseActivity {
  /** Queries of the reader, and the time they took, waiting for a connection included. */
  readonly reads: Readonly<Stopwatch>;
  /** Writes, from the moment they were asked for until they were durable or refused. */
  readonly writes: Readonly<Stopwatch>;
  /** How many writes wait for their turn. */
  readonly waitingWrites: () => number;
  /** The connections to the primary; undefined where there is no pool. */
  readonly connections?: () => { readonly idle: number; readonly busy: number; readonly waiting: number };
  /** Each replica, and whether it is read from. */
  readonly replicas?: readonly { readonly name: string; readonly isUsable: boolean }[];
}
