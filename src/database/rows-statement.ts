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

/** SQL that reads a property of a row. */
type ValueOf = (property: string) => Sql;

/**
 * A statement that writes any number of rows, which TypeORM's builders cannot: they have no INSERT … SELECT and no
 * UPDATE … FROM. Several rows are passed as one JSON parameter, so that every number of rows uses the same statement. A
 * single row has one parameter per column, because its text may be long.
 *
 * @param write writes the statement, with the FROM clause of several rows
 */
function rowsStatement<Row extends object>(
  { dialect }: Database,
  columns: readonly ColumnMetadata[],
  write: (valueOf: ValueOf, from?: Sql) => Sql<Partial<Row>>,
): RowsStatement<Row> {
  const properties = columns.map(({ propertyName }) => propertyName);
  const types = columns.map((column) => column.entityMetadata.connection.driver.normalizeType(column));
  const one = write((property) => sql`${`:${property}`}`);
  const several = write(
    (property) => {
      const index = properties.indexOf(property);
      return raw(`CAST(value ->> ${index} AS ${types[index]})`);
    },
    sql`FROM ${dialect.elementsOf(':rows')}`,
  );
  return (rows) => {
    if (rows.length === 1) return [one, rows[0]! as SqlValues];
    const values = rows.map((row) => properties.map((name) => row[name as keyof Row]));
    return [several, { rows: JSON.stringify(values) }];
  };
}

/** Inserts rows of an entity. @param ids whether the rows have them, or the database makes them */
export function insertion<Row extends object>(
  database: Database,
  entity: new () => object,
  computed: Computed<Row> = {},
  ids: 'given' | 'made' = 'made',
): RowsStatement<Row> {
  const { table, all, setOf, returning } = parts(database, entity, computed);
  const columns = ids === 'given' ? all : all.filter(({ isGenerated }) => !isGenerated);
  const names = columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const overriding = ids === 'given' ? database.dialect.overridingIds : '';
  return rowsStatement(database, columns, (valueOf, from) => {
    const values = joined(columns.map(setOf(valueOf)), ', ');
    const rows = from ? sql`SELECT ${values} ${from}` : sql`VALUES (${values})`;
    return sql`INSERT INTO ${table} (${raw(names)}) ${raw(overriding)} ${rows} ${returning}`;
  });
}

/** Replaces rows that still have the version before. Fails unless it returns `:expected` rows. */
export function replacement<Row extends object>(
  database: Database,
  entity: new () => object,
  computed: Computed<Row>,
): RowsStatement<Row> {
  const { table, all, setOf, returning } = parts(database, entity, computed);
  const columns = all.filter(({ isGenerated }) => !isGenerated);
  return rowsStatement(database, all, (valueOf, from = raw('')) => {
    const set = columns.map((column) => sql`${raw(`"${column.databaseName}"`)} = ${setOf(valueOf)(column)}`);
    return database.dialect.checked(sql`
      UPDATE ${table} SET ${joined(set, ', ')} ${from}
      WHERE ${table}.id = ${valueOf('id')} AND ${table}.version = ${valueOf('version')} - 1 ${returning}`);
  });
}

function parts<Row extends object>({ reader }: Database, entity: new () => object, computed: Computed<Row>) {
  const { tableName, columns } = reader.manager.connection.getMetadata(entity);
  const computedOf = ({ propertyName }: ColumnMetadata): Sql | undefined =>
    computed[propertyName as keyof Row & string];
  const returned = columns.filter((column) => column.propertyName === 'id' || computedOf(column));
  const texts = returned.map(
    ({ databaseName, propertyName }) => `${tableName}."${databaseName}" AS "${propertyName}"`,
  );
  return {
    table: raw(tableName),
    all: columns,
    setOf: (valueOf: ValueOf) => (column: ColumnMetadata) =>
      computedOf(column) ?? valueOf(column.propertyName),
    returning: raw(`RETURNING ${texts.join(', ')}`),
  };
}
