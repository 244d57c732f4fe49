import { CompiledQuery } from './compiled-query.js';
import type { Queryable } from './database.js';
import type { Dialect } from './dialect.js';

/** A row to be, by the names of its columns. */
type NewRow<Column extends string> = Readonly<Record<Column, string | number | null>>;

/**
 * Inserts any number of rows by one statement. Several are one parameter, so that each number of them needs no statement
 * of its own; one alone has parameters of its own, because its text may be long.
 */
export class Insertion<Column extends string> {
  readonly #columns: readonly Column[];
  readonly #one: CompiledQuery;
  readonly #several: CompiledQuery;

  /**
   * @param columns with their types
   * @param returning of each row, such as `"id"`; nothing by default
   */
  constructor(
    dialect: Dialect,
    table: string,
    columns: Readonly<Record<Column, 'bigint' | 'text'>>,
    returning?: string,
  ) {
    this.#columns = Object.keys(columns) as Column[];
    const into = `INSERT INTO ${table} (${this.#columns.map((column) => `"${column}"`).join(', ')})`;
    const suffix = returning === undefined ? '' : ` RETURNING ${returning}`;
    const parameters = this.#columns.map((column) => `:${column}`);
    const fields = this.#columns.map((column, index) => `CAST(value ->> ${index} AS ${columns[column]})`);
    this.#one = CompiledQuery.fromText(`${into} VALUES (${parameters.join(', ')})${suffix}`);
    this.#several = CompiledQuery.fromText(
      `${into} SELECT ${fields.join(', ')} FROM ${dialect.elementsOf(':rows')}${suffix}`,
    );
  }

  /** @returns what is returned of each, in any order */
  async run<Returned>(transaction: Queryable, rows: readonly NewRow<Column>[]): Promise<Returned[]> {
    if (rows.length === 0) return [];
    if (rows.length === 1) return transaction.all(this.#one, rows[0]);
    const values = rows.map((row) => this.#columns.map((column) => row[column]));
    return transaction.all(this.#several, { rows: JSON.stringify(values) });
  }
}
