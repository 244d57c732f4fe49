import { CompiledQuery } from './compiled-query.js';
import type { Transaction } from './database.js';

/** The differences between the databases. All other SQL works on both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';

  /** Reads the size of the database, in bytes, as `bytes`. The query builder cannot write a query without a table. */
  readonly sizeQuery: CompiledQuery;

  /**
   * The end of a condition: the expression before it is one of the integers of a JSON array. So one parameter holds any
   * number of integers.
   *
   * @param json an expression, such as `:ids`
   */
  isOneOf(json: string): string;

  /**
   * A table with one row per element of a JSON array, in order, in its column `value`.
   *
   * @param json an expression, such as `:rows`
   */
  elementsOf(json: string): string;

  /** Goes between the columns and the rows of an INSERT that gives values for generated ids. */
  readonly overridingIds: string;

  /** The current time for a change of posts, in the stored format of dates: 27 characters. */
  readonly changeClock: string;

  /** The time at which a query or its snapshot began, in the form of ISO 8601. */
  readonly queryClock: string;

  /** 1 while transactions that a query does not see yet are changing posts, possibly with an earlier time; else 0. */
  readonly hasWritesInFlight: string;

  /** How many concurrent write transactions are useful. */
  readonly concurrentWrites: number;

  /** Ends a SELECT in a transaction that will change the rows: locks them until the transaction ends. */
  readonly forUpdate: string;

  /** Like {@link forUpdate}, but leaves out rows that another transaction has locked. */
  readonly forUpdateOfUnlocked: string;

  /**
   * Takes a lock until the transaction ends. All instances of the service share the locks.
   *
   * @param key a 64-bit integer
   * @returns false when another transaction holds it; always true on SQLite, where one process writes
   */
  tryLock(transaction: Transaction, key: bigint): Promise<boolean>;

  /** Takes the same lock, and the next statement waits for it. */
  lock(transaction: Transaction, key: bigint): void;

  /** Checks the lock without taking it: whether no transaction holds it. */
  isUnlocked(transaction: Transaction, key: bigint): Promise<boolean>;

  /**
   * Whether an import uses many small transactions and hides its posts until it is complete, because there is only one
   * writer at a time. Otherwise it uses one transaction.
   */
  readonly stagesImports: boolean;
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  sizeQuery: CompiledQuery.fromText(
    'SELECT page_count * page_size AS "bytes" FROM pragma_page_count(), pragma_page_size()',
  ),
  isOneOf: (json) => `IN (SELECT value FROM json_each(${json}))`,
  elementsOf: (json) => `json_each(${json})`,
  overridingIds: '',
  changeClock: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  queryClock: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
  // Its transactions run one after another.
  hasWritesInFlight: '0',
  concurrentWrites: 1,
  forUpdate: '',
  forUpdateOfUnlocked: '',
  tryLock: () => Promise.resolve(true),
  lock: () => undefined,
  isUnlocked: () => Promise.resolve(true),
  stagesImports: true,
};

// The query builder has no advisory locks.
const LOCK = CompiledQuery.fromText('SELECT pg_advisory_xact_lock(CAST(:key AS bigint))');
const TRY_LOCK = CompiledQuery.fromText('SELECT pg_try_advisory_xact_lock(CAST(:key AS bigint)) AS "isFree"');
// pg_locks shows a key as two 32-bit numbers (https://www.postgresql.org/docs/current/view-pg-locks.html).
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
  sizeQuery: CompiledQuery.fromText('SELECT pg_database_size(current_database()) AS "bytes"'),
  // For a subquery of IN, PostgreSQL estimates a hundred rows and then scans a table of some thousand rows for each of
  // them.
  isOneOf: (json) =>
    `= ANY (ARRAY(SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(${json} AS json))))`,
  // `->>` parses an element of type json again for every column.
  elementsOf: (json) => `jsonb_array_elements(CAST(${json} AS jsonb))`,
  overridingIds: ' OVERRIDING SYSTEM VALUE',
  // The function also locks the transaction's counter, which `hasWritesInFlight` checks.
  changeClock: 'posts_change_clock() COLLATE "C"',
  queryClock: `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  // A changed counter carries the number of its open transaction in the system column xmax (32 bits).
  hasWritesInFlight: `CAST(EXISTS (
    SELECT FROM pg_snapshot_xip(pg_current_snapshot()) running
    JOIN posts_counters touched
      ON CAST(CAST(touched.xmax AS text) AS bigint) = CAST(CAST(running AS text) AS bigint) % 4294967296
  ) AS integer)`,
  concurrentWrites: 2,
  forUpdate: ' FOR UPDATE',
  forUpdateOfUnlocked: ' FOR UPDATE SKIP LOCKED',
  tryLock: (transaction, key) => isFree(transaction, TRY_LOCK, key),
  lock: (transaction, key) => transaction.send(LOCK, { key: String(key) }),
  isUnlocked: (transaction, key) => isFree(transaction, LOOK_AT_LOCK, key),
  stagesImports: false,
};
