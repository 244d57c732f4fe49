import type { ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.js';
import { joined, raw, type Sql, sql, type SqlValues } from './sql.js';

/** SQL expressions by the names of the properties that they set. */
type Computed = Readonly<Record<string, Sql | undefined>>;

/** The statement that writes these rows, of which there is one at least, and its values. */
export type RowsStatement<Row> = (rows: readonly Row[]) => [Sql, SqlValues];

/**
 * A statement that writes any number of rows, which TypeORM's builders cannot: they have no INSERT … SELECT and no
 * UPDATE … FROM. Several rows are passed as one JSON parameter, so that every number of rows uses the same statement. A
 * single row has one parameter per column, because its text may be long.
 *
 * @param columns of the values that a row has
 * @param write writes the statement, for values by property and with the FROM clause of several rows
 */
function rowsStatement<Row extends object>(
  { dialect }: Database,
  columns: readonly ColumnMetadata[],
  write: (valueOf: (property: string) => Sql, from?: Sql) => Sql,
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

interface InsertionOptions {
  /** Properties that the rows do not have. */
  readonly computed?: Computed;
  /** The rows have ids, instead of leaving them to the database. */
  readonly givesIds?: boolean;
  /** Returns, for each row in any order, its id and what was computed. */
  readonly returnsIds?: boolean;
}

/** Inserts rows of an entity. */
export function insertion<Row extends object>(
  database: Database,
  entity: new () => ObjectLiteral,
  { computed = {}, givesIds = false, returnsIds = false }: InsertionOptions = {},
): RowsStatement<Row> {
  const { tableName, columns: all } = metadataOf(database, entity);
  const columns = all.filter(({ isGenerated }) => givesIds || !isGenerated);
  const names = columns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const overriding = givesIds ? database.dialect.overridingIds : '';
  const given = columns.filter(({ propertyName }) => computed[propertyName] === undefined);
  return rowsStatement(database, given, (valueOf, from) => {
    const values = joined(
      columns.map(({ propertyName }) => computed[propertyName] ?? valueOf(propertyName)),
      ', ',
    );
    const rows = from ? sql`SELECT ${values} ${from}` : sql`VALUES (${values})`;
    const insert = sql`${raw(`INSERT INTO "${tableName}" (${names})${overriding}`)} ${rows}`;
    return returnsIds ? sql`${insert}${returning(tableName, all, computed)}` : insert;
  });
}

/** Replaces rows that still have the version before. Fails unless it returns `:expected` rows: their ids, and what was computed. */
export function replacement<Row extends object>(
  database: Database,
  entity: new () => ObjectLiteral,
  computed: Computed,
): RowsStatement<Row> {
  const { tableName, columns: all } = metadataOf(database, entity);
  const table = raw(tableName);
  const given = all.filter(({ propertyName }) => computed[propertyName] === undefined);
  return rowsStatement(database, given, (valueOf, from = raw('')) => {
    const set = all
      .filter(({ isGenerated }) => !isGenerated)
      .map(
        ({ databaseName, propertyName }) =>
          sql`${raw(`"${databaseName}"`)} = ${computed[propertyName] ?? valueOf(propertyName)}`,
      );
    return database.dialect.checked(sql`
      UPDATE ${table} SET ${joined(set, ', ')} ${from}
      WHERE ${table}.id = ${valueOf('id')} AND ${table}.version = ${valueOf('version')} - 1
      ${returning(tableName, all, computed)}`);
  });
}

function returning(table: string, columns: readonly ColumnMetadata[], computed: Computed): Sql {
  const returned = columns.filter(({ propertyName }) => propertyName === 'id' || computed[propertyName]);
  const texts = returned.map(
    ({ databaseName, propertyName }) => `${table}."${databaseName}" AS "${propertyName}"`,
  );
  return raw(` RETURNING ${texts.join(', ')}`);
}

function metadataOf({ reader }: Database, entity: new () => ObjectLiteral) {
  return reader.manager.connection.getMetadata(entity);
}
