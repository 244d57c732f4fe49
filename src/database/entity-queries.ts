import type {
  EntityManager,
  EntityTarget,
  InsertQueryBuilder,
  ObjectLiteral,
  SelectQueryBuilder,
} from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

export type PropertyOf<Entity> = keyof Entity & string;

/** The columns that an INSERT has to name: all but those whose values the database gives. */
export function insertedColumns<Entity extends ObjectLiteral>(
  { connection }: EntityManager,
  entity: EntityTarget<Entity>,
): ColumnMetadata[] {
  return connection.getMetadata(entity).columns.filter(({ isGenerated }) => !isGenerated);
}

/**
 * Builds a query whose rows are plain objects with these properties of the entity: by default with all that TypeORM
 * selects.
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

/** Builds the INSERT of one row; each property is a parameter of its own name. */
export function insertRow<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Entity>,
): { readonly builder: InsertQueryBuilder<Entity>; readonly parameters: readonly string[] } {
  const parameters = insertedColumns(manager, entity).map(({ propertyName }) => propertyName);
  const values = Object.fromEntries(parameters.map((name) => [name, () => `:${name}`]));
  const builder = manager
    .createQueryBuilder()
    .insert()
    .into(entity, parameters)
    .values(values as never);
  return { builder, parameters };
}
