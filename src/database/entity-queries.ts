import type { EntityManager, EntityTarget, ObjectLiteral, SelectQueryBuilder } from 'typeorm';

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
