import sqlite3 from 'sqlite3';
import { DataSource } from 'typeorm';
import { StartFault } from '../../settings/settings.js';
import { writerOptions } from '../data-source-options.js';
import { assertOurMigrations, migrationsNamed } from '../migrations.js';
import { migrate } from '../open-database.js';
import { findMigrations, isSqliteFile } from './inspect-sqlite-file.js';
import { SqliteConnection } from './sqlite-connection.js';

/** More differences would not help the reader. */
const SHOWN_DIFFERENCES = 5;

/** Leaves out the posts that an import has stored but not made visible. */
const VISIBLE =
  'WHERE id NOT BETWEEN (SELECT hidden_from FROM posts_state) AND (SELECT hidden_to FROM posts_state)';

/** Row counts of a database, for operators. */
export interface SqliteContents {
  readonly posts: number;
  readonly accounts: number;
  readonly sessions: number;
  readonly tokens: number;
}

/**
 * Reads every page of a SQLite file, and compares its schema with the one that our migrations create.
 *
 * @param shownPath the file's name in a fault
 * @throws StartFault when the service cannot, or should not, use the file
 */
export async function verifySqliteFile(path: string, shownPath = path): Promise<SqliteContents> {
  if (!(await isSqliteFile(path))) throw new StartFault(`${shownPath} is not a SQLite database.`);
  const handle = await SqliteConnection.open(path, sqlite3.OPEN_READONLY);
  try {
    const faults = await handle.query<{ integrity_check: string }>('PRAGMA integrity_check(1)');
    if (faults[0]?.integrity_check !== 'ok') throw new Error(faults[0]?.integrity_check);
    const applied = await findMigrations(handle, shownPath);
    assertOurMigrations(`The database ${shownPath}`, applied, true);
    if (applied.length === 0) throw new StartFault(`${shownPath} has none of the service's tables.`);
    const differences = await compareSchema(handle, applied);
    if (differences.length > 0)
      throw new StartFault(`${shownPath} is not as the service makes it: ${differences.join(', ')}.`);
    return await countContents(handle);
  } catch (cause) {
    if (cause instanceof StartFault) throw cause;
    throw new StartFault(`${shownPath} is damaged.`, { cause });
  } finally {
    await handle.close();
  }
}

/** @returns a description of each difference in tables, views, triggers and indexes */
async function compareSchema(handle: SqliteConnection, applied: readonly string[]): Promise<string[]> {
  const query = `
    SELECT type || ' ' || name AS name, sql FROM sqlite_master
    WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'migrations'
  `;
  const reference = new DataSource({
    ...writerOptions({ kind: 'sqlite', path: ':memory:' }),
    migrations: migrationsNamed(applied),
  });
  await reference.initialize();
  try {
    await migrate(reference);
    const expected = schemaOf(await reference.query<SchemaRow[]>(query));
    const found = schemaOf(await handle.query<SchemaRow>(query));
    const names = [...new Set([...expected.keys(), ...found.keys()])];
    return names
      .flatMap((name) => {
        if (!expected.has(name)) return [`the ${name} does not belong to the service`];
        if (!found.has(name)) return [`the ${name} is missing`];
        return expected.get(name) === found.get(name) ? [] : [`the ${name} differs`];
      })
      .slice(0, SHOWN_DIFFERENCES);
  } finally {
    await reference.destroy();
  }
}

interface SchemaRow {
  readonly name: string;
  readonly sql: string | null;
}

function schemaOf(rows: readonly SchemaRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ name, sql }) => [name, (sql ?? '').replaceAll(/\s+/g, '')]));
}

async function countContents(handle: SqliteConnection): Promise<SqliteContents> {
  const [contents] = await handle.query<SqliteContents>(
    `SELECT (SELECT count(*) FROM posts ${VISIBLE}) AS posts, (SELECT count(*) FROM accounts) AS accounts,
       (SELECT count(*) FROM sessions WHERE expires_at > ?) AS sessions, (SELECT count(*) FROM api_tokens) AS tokens`,
    [new Date().toISOString()],
  );
  return contents!;
}
