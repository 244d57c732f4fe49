import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.js';
import { joined, raw, type Sql, sql, type SqlValues } from './sql.js';

/** SQL expressions by the names of the properties that they set; the rows do not have these. */
export type Computed<Row> = { readonly [Property in keyof Row & string]?: Sql };

/**
 * The statement that writes these rows, of which there is one at least, and its values. It returns, for each row in any
 * order, its id and what was computed.
 */
export type RowsStatement<Row> = (rows: readonly Row[]) => [Sql<Partial<Row>>, SqlValues];

/** SQL that reads a property of a row, or computes it. */
type ValueOf = (property: string) => Sql;

/**
 * Statements that write any number of rows of an entity, which TypeORM's builders cannot: they have no INSERT … SELECT
 * and no UPDATE … FROM. Several rows are passed as one JSON parameter, so that every number of rows uses the same
 * statement. A single row has one parameter per column, because its text may be long.
 */
export function rowsStatements<Row extends object>(
  { dialect, reader }: Database,
  entity: new () => object,
  computed: Computed<Row> = {},
) {
  const { tableName, columns: all, connection } = reader.manager.connection.getMetadata(entity);
  const table = raw(tableName);
  const properties = all.map(({ propertyName }) => propertyName);
  const returned = all.filter(({ propertyName }) => propertyName === 'id' || propertyName in computed);
  const returning = raw(
    `RETURNING ${returned.map((column) => `${tableName}.${nameOf(column)} AS "${column.propertyName}"`).join(', ')}`,
  );

  /** @param write writes the statement, with the FROM clause of several rows */
  function statement(write: (valueOf: ValueOf, from?: Sql) => Sql<Partial<Row>>): RowsStatement<Row> {
    const computedOf = (property: string): Sql | undefined => computed[property as keyof Row & string];
    const one = write((property) => computedOf(property) ?? sql`${`:${property}`}`);
    const several = write(
      (property) => {
        const index = properties.indexOf(property);
        const type = connection.driver.normalizeType(all[index]!);
        return computedOf(property) ?? raw(`CAST(value ->> ${index} AS ${type})`);
      },
      sql`FROM ${dialect.elementsOf(':rows')}`,
    );
    return (rows) => {
      if (rows.length === 1) return [one, rows[0]! as SqlValues];
      const values = rows.map((row) => properties.map((name) => row[name as keyof Row]));
      return [several, { rows: JSON.stringify(values) }];
    };
  }

  const insertion = (columns: readonly ColumnMetadata[], overriding = ''): RowsStatement<Row> =>
    statement((valueOf, from) => {
      const values = joined(
        columns.map(({ propertyName }) => valueOf(propertyName)),
        ', ',
      );
      const rows = from ? sql`SELECT ${values} ${from}` : sql`VALUES (${values})`;
      const names = raw(columns.map(nameOf).join(', '));
      return sql`INSERT INTO ${table} (${names}) ${raw(overriding)} ${rows} ${returning}`;
    });
  const writable = all.filter(({ isGenerated }) => !isGenerated);
  return {
    /** Inserts rows, whose ids the database makes. */
    insertion: () => insertion(writable),
    /** Inserts rows with their ids. */
    restoration: () => insertion(all, dialect.overridingIds),
    /** Replaces rows that still have the version before. Fails unless it returns `:expected` rows. */
    replacement: () =>
      statement((valueOf, from = raw('')) => {
        const set = writable.map((column) => sql`${raw(nameOf(column))} = ${valueOf(column.propertyName)}`);
        return dialect.checked(sql`
          UPDATE ${table} SET ${joined(set, ', ')} ${from}
          WHERE ${table}.id = ${valueOf('id')} AND ${table}.version = ${valueOf('version')} - 1 ${returning}`);
      }),
  };
}

function nameOf({ databaseName }: ColumnMetadata): string {
  return `"${databaseName}"`;
}
