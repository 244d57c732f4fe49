/** What the databases say differently; everything else is written in the SQL that both understand. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres';

  /**
   * A subquery whose rows are the integers of a JSON array, so that one parameter holds any number of them.
   *
   * @param json an expression, such as `:ids`
   */
  integersOf(json: string): string;

  /** Ends a SELECT in a transaction that is going to change the rows: nobody else changes them before it is over. */
  readonly forUpdate: string;
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  integersOf: (json) => `SELECT value FROM json_each(${json})`,
  // Its transactions run one after another.
  forUpdate: '',
};

export const postgresDialect: Dialect = {
  name: 'postgres',
  integersOf: (json) => `SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST(${json} AS json))`,
  forUpdate: ' FOR UPDATE',
};
