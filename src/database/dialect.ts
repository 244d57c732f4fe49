import { CompiledQuery } from './compiled-query.js';

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
   * A query whose `isFree` tells whether nobody held the lock `:key`, a bigint, which is then held to the end of the
   * transaction; undefined where one process does all the writing. See database-lock.ts.
   */
  readonly tryLock: CompiledQuery | undefined;

  /** A query whose `isFree` tells whether nobody holds the lock `:key`, of which it is in nobody's way. */
  readonly lookAtLock: CompiledQuery | undefined;

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
  tryLock: undefined,
  lookAtLock: undefined,
  stagesImports: true,
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  // As a subquery of IN it would be taken for a hundred rows, and a table of some thousand read through for each of them.
  isOneOf: (json) =>
    `= ANY (ARRAY(SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(${json} AS json))))`,
  elementsOf: (json) => `json_array_elements(CAST(${json} AS json))`,
  overridingIds: ' OVERRIDING SYSTEM VALUE',
  concurrentWrites: 2,
  forUpdate: ' FOR UPDATE',
  // The builder knows no advisory locks.
  tryLock: CompiledQuery.fromText('SELECT pg_try_advisory_xact_lock(CAST(:key AS bigint)) AS "isFree"'),
  // A key is shown as two numbers of 32 bits (https://www.postgresql.org/docs/current/view-pg-locks.html).
  lookAtLock: CompiledQuery.fromText(`
    SELECT NOT EXISTS (
      SELECT FROM pg_locks
      WHERE locktype = 'advisory' AND objsubid = 1 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (CAST(classid AS bigint) << 32) | CAST(objid AS bigint) = CAST(:key AS bigint)
    ) AS "isFree"
  `),
  stagesImports: false,
};
