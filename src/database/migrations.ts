import type { DataSource, MigrationInterface } from 'typeorm';
import { StartFault } from '../settings/settings.js';
import { CreateSchema1763750000000 } from './migrations/1763750000000-create-schema.js';
import { RecordDeletions1763790000000 } from './migrations/1763790000000-record-deletions.js';

type Migration = new () => MigrationInterface;

/** All migrations, in the order in which they run. */
export const MIGRATIONS: readonly Migration[] = [CreateSchema1763750000000, RecordDeletions1763790000000];

/** The migrations with these names, as the table `migrations` of a database has them. */
export function migrationsNamed(names: readonly string[]): Migration[] {
  return MIGRATIONS.filter((each) => names.includes(nameOf(each)));
}

function nameOf(Migration: Migration): string {
  return new Migration().name ?? Migration.name;
}

/** The first migration of version 1.0; our first one is the last of version 1.1. */
const OF_VERSION_1_0 = 'CreatePosts1763650000000';

/**
 * Compares the migrations of a database with ours.
 *
 * @param where the subject of the fault's sentence
 * @param migrates whether missing migrations will be run
 * @returns whether some are missing
 * @throws StartFault
 */
export function assertOurMigrations(where: string, applied: readonly string[], migrates: boolean): boolean {
  const known = MIGRATIONS.map(nameOf);
  const first = known[0]!;
  if (applied.length > 0 && !applied.includes(first))
    throw new StartFault(
      applied.includes(OF_VERSION_1_0)
        ? `${where} is of version 1.0; start version 1.1 on it once, which upgrades it, and then this version.`
        : `${where} holds the tables of another program.`,
    );
  // Version 1.1 ran older ones, too, which our first one replaces. Names end in the time.
  const newer = applied.find((name) => !known.includes(name) && name.slice(-13) > first.slice(-13));
  // Without migration, the operator is responsible for a compatible schema: see "Rolling back" in docs/operate/operations.md.
  if (newer !== undefined && migrates)
    throw new StartFault(
      `${where} was written by a newer version of the service (${newer}); start that version.`,
    );
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length > 0 && !migrates)
    throw new StartFault(
      `${where} lacks migrations (${missing.length}), and DATABASE_MIGRATE is off: run the command migrate.`,
    );
  return missing.length > 0;
}

const COLUMNS: Readonly<Record<string, string>> = {
  sqlite: `
    SELECT tables.name || '.' || columns.name AS name
    FROM sqlite_master tables JOIN pragma_table_info(tables.name) columns WHERE tables.type = 'table'`,
  postgres: `
    SELECT table_name || '.' || column_name AS name
    FROM information_schema.columns WHERE table_schema = current_schema()`,
};

/**
 * Checks that the schema has every column of the entities. Without this, a service that lacks a migration would start, and
 * fail at the first query.
 *
 * @throws StartFault
 */
export async function assertEntitiesFit(dataSource: DataSource): Promise<void> {
  const { options, entityMetadatas } = dataSource;
  const rows = await dataSource.query<{ name: string }[]>(COLUMNS[options.type]!);
  const found = new Set(rows.map(({ name }) => name));
  for (const { name, tableName, columns } of entityMetadatas) {
    const missing = columns.find(({ databaseName }) => !found.has(`${tableName}.${databaseName}`));
    if (missing)
      throw new StartFault(
        `The schema lacks the column ${tableName}.${missing.databaseName} of the entity ${name}: a migration is missing.`,
      );
  }
}

/** A table, an index or the like, as a database describes it. */
export interface SchemaObject {
  readonly name: string;
  readonly definition: string | null;
}

/** Describes each object that only one of the schemas has, or that differs. */
export function schemaDifferences(
  expected: readonly SchemaObject[],
  found: readonly SchemaObject[],
): string[] {
  const [ours, theirs] = [definitionsOf(expected), definitionsOf(found)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    if (!ours.has(name)) return [`the ${name} does not belong to the service`];
    if (!theirs.has(name)) return [`the ${name} is missing`];
    return ours.get(name) === theirs.get(name) ? [] : [`the ${name} differs`];
  });
}

function definitionsOf(objects: readonly SchemaObject[]): ReadonlyMap<string, string | undefined> {
  return new Map(objects.map(({ name, definition }) => [name, definition?.replaceAll(/\s+/g, '')]));
}
