import { type Sql, sql } from './sql.js';
import type { Transaction } from './transaction.js';

/** The differences between the databases. All other SQL works on both. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';

  /**
   * The end of a condition: the expression before it is one of the integers of a JSON array. So one parameter holds any
   * number of integers.
   *
   * @param json the name of the value that has it
   */
  isOneOf(json: `:${string}`): Sql;

  /**
   * A table with one row per element of a JSON array, in order, in its column `value`.
   *
   * @param json the name of the value that has it
   */
  elementsOf(json: `:${string}`): Sql;

  /** Like {@link elementsOf}, at the end of a SELECT, which returns a row for each element in their order. */
  elementsInOrder(json: `:${string}`): Sql;

  /**
   * A statement that fails when the change in it does not return `:expected` rows, and otherwise returns them. Where
   * each statement is awaited before the COMMIT, the change itself.
   */
  checked<Row>(change: Sql<Row>): Sql<Row>;

  /** Goes between the columns and the rows of an INSERT that gives values for generated ids. */
  readonly overridingIds: string;

  /** The current time for a change of posts, in the stored format of dates: 27 characters. */
  readonly changeClock: string;

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
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  isOneOf: (json) => sql`IN (SELECT value FROM json_each(${json}))`,
  elementsOf: (json) => sql`json_each(${json})`,
  // It returns them in their order. Sorting would copy the texts.
  elementsInOrder: (json) => sql`json_each(${json})`,
  checked: (change) => change,
  overridingIds: '',
  changeClock: `strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')`,
  forUpdate: '',
  forUpdateOfUnlocked: '',
  tryLock: () => Promise.resolve(true),
};

// The query builder has no advisory locks.
const TRY_LOCK = sql<{
  isFree: boolean;
}>`SELECT pg_try_advisory_xact_lock(CAST(${':key'} AS bigint)) AS "isFree"`;

export const postgresDialect: Dialect = {
  name: 'postgres',
  // For a subquery of IN, PostgreSQL estimates a hundred rows and then scans a table of some thousand rows for each of
  // them.
  isOneOf: (json) =>
    sql`= ANY (ARRAY(SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(${json} AS json))))`,
  // `->>` parses an element of type json again for every column.
  elementsOf: (json) => sql`jsonb_array_elements(CAST(${json} AS jsonb))`,
  elementsInOrder: (json) =>
    sql`jsonb_array_elements(CAST(${json} AS jsonb)) WITH ORDINALITY AS element (value, place) ORDER BY place`,
  // A cast that fails is the only expression that raises an error with a text.
  checked: (change) => sql`
    WITH changed AS (${change}), counted AS (SELECT count(*) AS number FROM changed)
    SELECT changed.* FROM counted LEFT JOIN changed ON true
    WHERE CASE WHEN number = ${':expected'} THEN true
      ELSE CAST(number || ' rows were changed, not ' || ${':expected'} AS boolean) END
  `,
  overridingIds: ' OVERRIDING SYSTEM VALUE',
  changeClock: 'posts_change_clock() COLLATE "C"',
  forUpdate: ' FOR UPDATE',
  forUpdateOfUnlocked: ' FOR UPDATE SKIP LOCKED',
  async tryLock(transaction, key) {
    const [lock] = await transaction.all(TRY_LOCK, { key: String(key) });
    return lock!.isFree;
  },
};
