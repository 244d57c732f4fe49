import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.js';
import { joined, raw, type Sql, sql, type SqlValues } from './sql.js';

/** SQL expressions by the names of the properties that they set; the rows do not have these. */
export type Computed<Row> = { readonly [Property in keyof Row & string]?: Sql };

/**
 * The statement that writes these rows, of which there is one at least, and its values. It returns, for each row in any
 * order, its id and what was computed.
 */
export type RowWrite<Row> = (rows: readonly Row[]) => [Sql<Partial<Row>>, SqlValues];

/**
 * Statements that write any number of rows of an entity, which TypeORM's builders cannot: they have no INSERT … SELECT
 * and no UPDATE … FROM. A single row has one value per column, because its text may be long. Several rows are one value
 * `:rows`, an array of arrays in JSON, so that every number of rows uses the same statement.
 */
export function rowWrites<Row extends object>(
  { dialect, reader }: Database,
  entity: new () => object,
  computed: Computed<Row> = {},
) {
  const { tableName, columns, connection } = reader.manager.connection.getMetadata(entity);
  const table = raw(tableName);
  const writable = columns.filter(({ isGenerated }) => !isGenerated);
  const returned = columns
    .filter(({ propertyName }) => propertyName === 'id' || propertyName in computed)
    .map((column) => raw(`${tableName}.${nameOf(column)} AS "${column.propertyName}"`));
  const returning = sql`RETURNING ${joined(returned, ', ')}`;
  const source = sql`FROM ${dialect.elementsOf(':rows')}`;

  /** What sets a column of one row, and of several. */
  const own = ({ propertyName }: ColumnMetadata): Sql =>
    computed[propertyName as keyof Row & string] ?? sql`${`:${propertyName}`}`;
  const element = (column: ColumnMetadata): Sql =>
    computed[column.propertyName as keyof Row & string] ??
    raw(`CAST(value ->> ${columns.indexOf(column)} AS ${connection.driver.normalizeType(column)})`);

  function rowWrite(one: Sql<Partial<Row>>, several: Sql<Partial<Row>>): RowWrite<Row> {
    return (rows) => {
      if (rows.length === 1) return [one, rows[0]! as SqlValues];
      const values = rows.map((row) => columns.map(({ propertyName }) => row[propertyName as keyof Row]));
      return [several, { rows: JSON.stringify(values) }];
    };
  }

  function insertion(inserted: readonly ColumnMetadata[], overriding = ''): RowWrite<Row> {
    const into = sql`INSERT INTO ${table} (${raw(inserted.map(nameOf).join(', '))}) ${raw(overriding)}`;
    return rowWrite(
      sql`${into} VALUES (${joined(inserted.map(own), ', ')}) ${returning}`,
      sql`${into} SELECT ${joined(inserted.map(element), ', ')} ${source} ${returning}`,
    );
  }

  function replacement(valueOf: (column: ColumnMetadata) => Sql, from: Sql): Sql<Partial<Row>> {
    const [id, version] = ['id', 'version'].map((name) =>
      valueOf(columns.find(({ propertyName }) => propertyName === name)!),
    );
    const set = writable.map((column) => sql`${raw(nameOf(column))} = ${valueOf(column)}`);
    return dialect.checked(sql`
      UPDATE ${table} SET ${joined(set, ', ')} ${from}
      WHERE ${table}.id = ${id!} AND ${table}.version = ${version!} - 1 ${returning}`);
  }

  return {
    /** Inserts rows, whose ids the database makes. */
    insertion: () => insertion(writable),
    /** Inserts rows with their ids. */
    restoration: () => insertion(columns, dialect.overridingIds),
    /** Replaces rows that still have the version before. Fails unless it returns `:expected` rows. */
    replacement: () => rowWrite(replacement(own, raw('')), replacement(element, source)),
  };
}

function nameOf({ databaseName }: ColumnMetadata): string {
  return `"${databaseName}"`;
}
