import { DataSource } from 'typeorm';
import { StartFault } from '../../settings/settings.js';
import { writerOptions } from '../data-source-options.js';
import { assertOurMigrations, migrationsNamed, schemaDifferences, type SchemaObject } from '../migrations.js';
import { migrate } from '../open-database.js';
import { assertSound, findMigrations, hasContent, readSqliteFile } from './inspect-sqlite-file.js';

/** More differences would not help the reader. */
const SHOWN_DIFFERENCES = 5;

/** Leaves out the posts that an import has stored but not made visible. */
export const VISIBLE =
  'WHERE id NOT BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

/**
 * Reads every page of a SQLite file, and compares its schema with the one that our migrations create.
 *
 * @param shownPath the file's name in a fault
 * @returns the number of posts
 * @throws StartFault when the service cannot, or should not, use the file
 */
export async function verifySqliteFile(path: string, shownPath = path): Promise<number> {
  if (!(await hasContent(path))) throw new StartFault(`${shownPath} is not a SQLite database.`);
  const shown = `The database ${shownPath}`;
  return readSqliteFile(path, shownPath, '', async (handle) => {
    await assertSound(handle, 'integrity_check');
    const applied = await findMigrations(handle, shown);
    assertOurMigrations(shown, applied, true);
    if (applied.length === 0) throw new StartFault(`${shownPath} has none of the service's tables.`);
    const differences = schemaDifferences(await schemaOf(applied), await handle.query(OBJECTS));
    if (differences.length > 0)
      throw new StartFault(
        `${shownPath} is not as the service makes it: ${differences.slice(0, SHOWN_DIFFERENCES).join(', ')}.`,
      );
    const [row] = await handle.query<{ posts: number }>(`SELECT count(*) AS posts FROM posts ${VISIBLE}`);
    return row!.posts;
  });
}

const OBJECTS = `
  SELECT type || ' ' || name AS name, sql AS definition FROM sqlite_master
  WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'migrations'
`;

/** The schema that these migrations of ours create. */
async function schemaOf(applied: readonly string[]): Promise<SchemaObject[]> {
  const dataSource = new DataSource({
    ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
    migrations: migrationsNamed(applied),
  });
  await dataSource.initialize();
  try {
    await migrate(dataSource);
    return await dataSource.query<SchemaObject[]>(OBJECTS);
  } finally {
    await dataSource.destroy();
  }
}
