import type { EntityManager, EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { CompiledQuery, type QueryValues } from './compiled-query.js';
import type { Database, Transaction } from './database.js';

export type PropertyOf<Entity> = keyof Entity & string;

/** The columns that an INSERT names: all except those that the database generates. */
export function insertedColumns<Entity extends ObjectLiteral>(
  { connection }: EntityManager,
  entity: EntityTarget<Entity>,
): ColumnMetadata[] {
  return connection.getMetadata(entity).columns.filter(({ isGenerated }) => !isGenerated);
}

/**
 * Builds a query that returns these properties of the entity as plain objects. Without a list, it returns all
 * properties that TypeORM selects by default.
 */
export function selectProperties<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  alias: string,
  properties?: readonly PropertyOf<Entity>[],
): SelectQueryBuilder<Entity> {
  const builder = manager.createQueryBuilder(entity, alias).select([]);
  const { columns } = manager.connection.getMetadata(entity);
  const names =
    properties ?? columns.filter(({ isSelect }) => isSelect).map(({ propertyName }) => propertyName);
  for (const name of names) builder.addSelect(`${alias}.${name}`, name);
  return builder;
}

/** Values for TypeORM's builders: each property is bound to the parameter of the same name. */
export function namedParameters(properties: readonly string[]): Record<string, () => string> {
  return Object.fromEntries(properties.map((name) => [name, () => `:${name}`]));
}

interface InsertionOptions {
  /** The columns to return for each row, such as `"id"`; none by default. */
  readonly returning?: string;
  /** The rows contain the ids, instead of leaving them to the database. */
  readonly givesIds?: boolean;
  /** SQL expressions for properties that the rows do not contain. */
  readonly expressions?: Readonly<Record<string, string>>;
}

/**
 * Inserts any number of rows with one statement. Several rows are passed as one JSON parameter, so that every number of
 * rows uses the same statement. A single row has one parameter per column, because its text may be long.
 */
export class Insertion<NewRow extends Readonly<Record<keyof NewRow, string | number | null>>> {
  readonly #properties: readonly string[];
  readonly #one: CompiledQuery;
  readonly #several: CompiledQuery;

  constructor(
    { dialect, reader: { manager } }: Database,
    entity: EntityTarget<ObjectLiteral>,
    { returning, givesIds = false, expressions = {} }: InsertionOptions = {},
  ) {
    const { driver } = manager.connection;
    const metadata = manager.connection.getMetadata(entity);
    const columns = givesIds ? metadata.columns : insertedColumns(manager, entity);
    const names = columns.map(({ databaseName }) => driver.escape(databaseName));
    const into = `INSERT INTO ${driver.escape(metadata.tableName)} (${names.join(', ')})${givesIds ? dialect.overridingIds : ''}`;
    const suffix = returning === undefined ? '' : ` RETURNING ${returning}`;
    const properties = columns.map(({ propertyName }) => propertyName);
    this.#properties = properties.filter((name) => expressions[name] === undefined);
    const fields = columns.map(
      (column) =>
        expressions[column.propertyName] ??
        `CAST(value ->> ${this.#properties.indexOf(column.propertyName)} AS ${driver.normalizeType(column)})`,
    );
    const parameters = properties.map((name) => expressions[name] ?? `:${name}`);
    // The builder has no INSERT … SELECT.
    this.#one = CompiledQuery.fromText(`${into} VALUES (${parameters.join(', ')})${suffix}`);
    this.#several = CompiledQuery.fromText(
      `${into} SELECT ${fields.join(', ')} FROM ${dialect.elementsOf(':rows')}${suffix}`,
    );
  }

  /** @returns the columns of `returning` for each row, in any order */
  async run<Returned>(transaction: Transaction, rows: readonly NewRow[]): Promise<Returned[]> {
    return rows.length === 0 ? [] : this.prepare<Returned>(rows)(transaction);
  }

  /** Like {@link run}, without awaiting the statement. */
  send(transaction: Transaction, rows: readonly NewRow[]): void {
    if (rows.length > 0) transaction.send(...this.#bound(rows));
  }

  /** Serialises the rows before the transaction begins, which keeps the transaction short. */
  prepare<Returned>(rows: readonly NewRow[]): (transaction: Transaction) => Promise<Returned[]> {
    const [query, values] = this.#bound(rows);
    return (transaction) => transaction.all(query, values);
  }

  #bound(rows: readonly NewRow[]): [CompiledQuery, QueryValues] {
    if (rows.length === 1) return [this.#one, rows[0]!];
    const values = rows.map((row) => this.#properties.map((name) => row[name as keyof NewRow]));
    return [this.#several, { rows: JSON.stringify(values) }];
  }
}
