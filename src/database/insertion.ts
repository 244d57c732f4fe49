import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { CompiledQuery } from './compiled-query.js';
import type { Database, Transaction } from './database.js';
import { insertedColumns, insertRow } from './entity-queries.js';

/**
 * Inserts any number of rows by one statement. Several are one parameter, so that each number of them needs no statement
 * of its own; one alone has parameters of its own, because its text may be long.
 */
export class Insertion<NewRow extends Readonly<Record<keyof NewRow, string | number | null>>> {
  readonly #properties: readonly string[];
  readonly #one: CompiledQuery;
  readonly #several: CompiledQuery;

  /** @param returning of each row, such as `"id"`; nothing by default */
  constructor(
    { dialect, reader: { manager } }: Database,
    entity: EntityTarget<ObjectLiteral>,
    returning?: string,
  ) {
    const { driver } = manager.connection;
    const { tableName } = manager.connection.getMetadata(entity);
    const columns = insertedColumns(manager, entity);
    const suffix = returning === undefined ? '' : ` RETURNING ${returning}`;
    const { builder, parameters } = insertRow(manager, entity);
    this.#properties = parameters;
    this.#one = CompiledQuery.from(builder, parameters, suffix);
    const names = columns.map(({ databaseName }) => driver.escape(databaseName));
    const fields = columns.map(
      (column, index) => `CAST(value ->> ${index} AS ${driver.normalizeType(column)})`,
    );
    // The builder has no INSERT … SELECT.
    this.#several = CompiledQuery.fromText(
      `INSERT INTO ${driver.escape(tableName)} (${names.join(', ')})
       SELECT ${fields.join(', ')} FROM ${dialect.elementsOf(':rows')}${suffix}`,
    );
  }

  /** @returns what is returned of each, in any order */
  async run<Returned>(transaction: Transaction, rows: readonly NewRow[]): Promise<Returned[]> {
    if (rows.length === 0) return [];
    if (rows.length === 1) return transaction.all(this.#one, rows[0]);
    const values = rows.map((row) => this.#properties.map((name) => row[name as keyof NewRow]));
    return transaction.all(this.#several, { rows: JSON.stringify(values) });
  }
}
