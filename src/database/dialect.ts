import { CompiledQuery } from './compiled-query.js';
import type { Transaction } from './database.js';

/** What the databases say differently; everything else is written in the SQL that both understand. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';

  /**
   * The end of a condition that what stands before it is one of the integers of a JSON array, so that one parameter holds
   * any number of them.
   *
   * @param json an expression, such as `:ids`
   */
  isOneOf(json: string): string;

  /**
   * A table whose `value` is each element of a JSON array, in their order.
   *
   * @param json an expression, such as `:rows`
   */
  elementsOf(json: string): string;

  /** Stands between the columns and the rows of an INSERT that brings ids which the database would give by itself. */
  readonly overridingIds: string;

  /** The time of a change of posts that is made now, in the form in which dates are stored: 27 characters. */
  readonly changeClock: string;

  /** 1 while posts are being changed by transactions that a query does not see yet, and that may get an earlier time; else 0. */
  readonly hasWritesInFlight: string;

  /** How many transactions that write are worth having at the same time. */
  readonly concurrentWrites: number;

  /** Ends a SELECT in a transaction that is going to change the rows: nobody else changes them before it is over. */
  readonly forUpdate: string;

  /**
   * Takes a lock for as long as the transaction is open: all instances of the service know it by the same key.
   *
   * @param key a 64-bit integer
   * @returns false when another transaction has it; where one process does all the writing, none ever has
   */
  tryLock(transaction: Transaction, key: bigint): Promise<boolean>;

  /** Tells whether no transaction has the lock, without taking it. */
  isUnlocked(transaction: Transaction, key: bigint): Promise<boolean>;

  /**
   * Whether an import takes many small transactions, which hide its posts until it is complete: there is one writer at a
   * time. Otherwise one transaction does it.
   */
  readonly stagesImports: boolean;
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  isOneOf: (json) => `IN (SELECT value FROM json_each(${json}))`,
  elementsOf: (json) => `json_each(${json})`,
  overridingIds: '',
  changeClock: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  // Its transactions run one after another.
  hasWritesInFlight: '0',
  // Its transactions run one after another.
  concurrentWrites: 1,
  forUpdate: '',
  tryLock: () => Promise.resolve(true),
  isUnlocked: () => Promise.resolve(true),
  stagesImports: true,
};

// The builder knows no advisory locks.
const TRY_LOCK = CompiledQuery.fromText('SELECT pg_try_advisory_xact_lock(CAST(:key AS bigint)) AS "isFree"');
// A key is shown as two numbers of 32 bits (https://www.postgresql.org/docs/current/view-pg-locks.html).
const LOOK_AT_LOCK = CompiledQuery.fromText(`
  SELECT NOT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (CAST(classid AS bigint) << 32) | CAST(objid AS bigint) = CAST(:key AS bigint)
  ) AS "isFree"
`);

async function isFree(transaction: Transaction, query: CompiledQuery, key: bigint): Promise<boolean> {
  const [lock] = await transaction.all<{ isFree: boolean }>(query, { key: String(key) });
  return lock!.isFree;
}

export const postgresDialect: Dialect = {
  name: 'postgres',
  // As a subquery of IN it would be taken for a hundred rows, and a table of some thousand read through for each of them.
  isOneOf: (json) =>
    `= ANY (ARRAY(SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(${json} AS json))))`,
  elementsOf: (json) => `json_array_elements(CAST(${json} AS json))`,
  overridingIds: ' OVERRIDING SYSTEM VALUE',
  // It also locks the transaction's counter, which `hasWritesInFlight` looks at.
  changeClock: 'posts_change_clock() COLLATE "C"',
  // The counter that a transaction has changed shows its number until it is over (the system column xmax, of 32 bits).
  hasWritesInFlight: `CAST(EXISTS (
    SELECT FROM pg_snapshot_xip(pg_current_snapshot()) running
    JOIN posts_counters touched
      ON CAST(CAST(touched.xmax AS text) AS bigint) = CAST(CAST(running AS text) AS bigint) % 4294967296
  ) AS integer)`,
  concurrentWrites: 2,
  forUpdate: ' FOR UPDATE',
  tryLock: (transaction, key) => isFree(transaction, TRY_LOCK, key),
  isUnlocked: (transaction, key) => isFree(transaction, LOOK_AT_LOCK, key),
  stagesImports: false,
};
