import type { EntityManager, EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.js';
import { joined, raw, type Sql, sql, type SqlValues } from './sql.js';

/**
 * Builds a query that returns these properties of the entity as plain objects. Without a list, it returns all
 * properties that TypeORM selects by default.
 */
export function selectProperties<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
  alias: string,
  properties?: readonly (keyof Entity & string)[],
): SelectQueryBuilder<Entity> {
  const builder = manager.createQueryBuilder(entity, alias).select([]);
  const { columns } = manager.connection.getMetadata(entity);
  const names =
    properties ?? columns.filter(({ isSelect }) => isSelect).map(({ propertyName }) => propertyName);
  for (const name of names) builder.addSelect(`${alias}.${name}`, name);
  return builder;
}

/** A section of a list: the rows after a key, or from the end of the list. */
interface Section {
  /** Reads in ascending order. */
  readonly backwards: boolean;
  readonly after: readonly (string | number)[] | undefined;
  readonly rows: number;
}

/** Limits a query to a section of a list in descending order of its columns. */
export function walked<Row extends object>(
  query: SelectQueryBuilder<Row>,
  columns: readonly string[],
  { backwards, after = [], rows }: Section,
): SelectQueryBuilder<Row> {
  if (after.length > 0) {
    const names = after.map((_, index) => `:after${index}`);
    const values = Object.fromEntries(after.map((value, index) => [`after${index}`, value]));
    query.andWhere(`(${columns.join(', ')}) ${backwards ? '>' : '<'} (${names.join(', ')})`, values);
  }
  for (const column of columns) query.addOrderBy(column, backwards ? 'ASC' : 'DESC');
  return query.limit(rows);
}

type RowOf<Row> = Readonly<Record<keyof Row, string | number | null>>;

/**
 * A statement that writes any number of rows, which TypeORM's builders cannot: they have no INSERT … SELECT and no
 * UPDATE … FROM. Several rows are passed as one JSON parameter, so that every number of rows uses the same statement. A
 * single row has one parameter per column, because its text may be long.
 */
export class RowsStatement<Row extends RowOf<Row>> {
  readonly #properties: readonly string[];
  readonly #one: Sql;
  readonly #several: Sql;

  /**
   * @param columns of the values that a row has
   * @param write writes the SQL text, for values by property and with the FROM clause of their rows, if there is one
   */
  constructor(
    { dialect }: Database,
    columns: readonly ColumnMetadata[],
    write: (valueOf: (property: string) => Sql, from: Sql | undefined) => Sql,
  ) {
    this.#properties = columns.map(({ propertyName }) => propertyName);
    const types = columns.map((column) => column.entityMetadata.connection.driver.normalizeType(column));
    const field = (property: string): Sql => {
      const index = this.#properties.indexOf(property);
      return raw(`CAST(value ->> ${index} AS ${types[index]})`);
    };
    this.#one = write((property) => sql`${`:${property}`}`, undefined);
    this.#several = write(field, sql`FROM ${dialect.elementsOf(':rows')}`);
  }

  /** The statement for at least one row, and its values. It returns the columns of `returning`, in any order. */
  for(rows: readonly Row[]): [Sql, SqlValues] {
    if (rows.length === 1) return [this.#one, rows[0]!];
    const values = rows.map((row) => this.#properties.map((name) => row[name as keyof Row]));
    return [this.#several, { rows: JSON.stringify(values) }];
  }
}

interface InsertionOptions {
  /** The columns to return for each row, such as `"id"`; none by default. */
  readonly returning?: string;
  /** The rows contain the ids, instead of leaving them to the database. */
  readonly givesIds?: boolean;
  /** SQL expressions for properties that the rows do not contain. */
  readonly expressions?: Readonly<Record<string, Sql>>;
}

export class Insertion<Row extends RowOf<Row>> extends RowsStatement<Row> {
  constructor(
    database: Database,
    entity: EntityTarget<ObjectLiteral>,
    { returning, givesIds = false, expressions = {} }: InsertionOptions = {},
  ) {
    const metadata = database.reader.manager.connection.getMetadata(entity);
    const columns = metadata.columns.filter(({ isGenerated }) => givesIds || !isGenerated);
    const names = columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
    const overriding = givesIds ? database.dialect.overridingIds : '';
    super(
      database,
      columns.filter(({ propertyName }) => expressions[propertyName] === undefined),
      (valueOf, from) => {
        const values = joined(
          columns.map(({ propertyName }) => expressions[propertyName] ?? valueOf(propertyName)),
          ', ',
        );
        const rows = from ? sql`SELECT ${values} ${from}` : sql`VALUES (${values})`;
        const end = returning === undefined ? '' : ` RETURNING ${returning}`;
        return sql`${raw(`INSERT INTO "${metadata.tableName}" (${names})${overriding}`)} ${rows}${raw(end)}`;
      },
    );
  }
}
