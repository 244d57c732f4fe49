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
  concurrentWrites: 2,
  forUpdate: ' FOR UPDATE',
  tryLock: (transaction, key) => isFree(transaction, TRY_LOCK, key),
  isUnlocked: (transaction, key) => isFree(transaction, LOOK_AT_LOCK, key),
  stagesImports: false,
};
