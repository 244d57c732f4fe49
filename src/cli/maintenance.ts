import { existsSync } from 'node:fs';
import { findMissingMigrations, moveToPostgres } from '../database/index.js';
import { loadSettings } from '../settings/load-settings.js';
import {
  type Environment,
  readSettings,
  type Settings,
  SettingsError,
  StartFault,
} from '../settings/settings.js';
import { print, settingsOfExisting, withContext } from './command-context.js';

/** Migrates the schema, for a service whose database role must not (DATABASE_MIGRATE=off). */
export async function migrate(overrides: Environment): Promise<void> {
  await withContext({ ...loadSettings(overrides), migratesDatabase: true }, [], () => Promise.resolve());
  print('The schema is up to date.');
}

/** What a lock of PostgreSQL means for the requests of a service that runs beside the migration. */
const WAITING = {
  'SHARE ROW EXCLUSIVE': 'writes wait, reads do not',
  'ACCESS EXCLUSIVE': 'reads and writes wait',
} as const;

/** Says what {@link migrate} would do. */
export async function printMissingMigrations(overrides: Environment): Promise<void> {
  const { database } = settingsOfExisting(overrides);
  const missing = await findMissingMigrations(database);
  if (missing.length === 0) return print('The schema is up to date: nothing would be done.');
  print(`Missing migrations: ${missing.length}. They run in one transaction: all, or none.`);
  for (const { name, does, locks, rows } of missing) {
    print(`\n${name}\n  ${does}`);
    for (const { table, mode } of locks) print(`  Locks ${table} (${mode}): ${WAITING[mode]}.`);
    for (const { table, touched } of rows) print(`  Touches rows of ${table}: ${touched}.`);
  }
  print(
    database.kind === 'sqlite'
      ? '\nThe service must not run meanwhile. Nothing was changed.'
      : '\nEach lock is kept until the end of the last migration. Nothing was changed.',
  );
}

/** Copies all data of a service from SQLite to PostgreSQL. It opens both databases itself; a context has one. */
export async function move(source: string, target: string): Promise<void> {
  const [from, to] = [readDatabase('--from', source), readDatabase('--to', target)];
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new StartFault('--from must be a SQLite database, --to a PostgreSQL database.');
  if (!existsSync(from.path)) throw new StartFault(`--from: there is no file ${from.path}`);
  for (const { table, rows } of await moveToPostgres(from, to)) print(`${table}: ${rows}`);
  print('Everything was moved. Start the service with the new DATABASE_URL.');
}

/** @throws SettingsError whose faults name the option */
function readDatabase(option: string, url: string): Settings['database'] {
  try {
    return readSettings({ DATABASE_URL: url }, { isTerminal: false }).database;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new SettingsError(error.faults.map((fault) => fault.replace('DATABASE_URL', option)));
  }
}
