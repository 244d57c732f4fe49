import { existsSync } from 'node:fs';
import { readSettings, type Settings, SettingsError } from '../settings/settings.js';
import { type Arguments, assertNoOthers, type Command, UsageError } from './command.js';

/** Copies all data of a service from SQLite to PostgreSQL. */
export const move: Command = {
  name: 'move',
  usage: '--from sqlite:<file> --to postgres://user:password@host:port/database',
  summary: 'Copy everything to an empty PostgreSQL database. Stop the service first.',

  options: ['from', 'to'],

  async run(args, print) {
    const { from, to } = readDatabases(args);
    const { moveToPostgres } = await import('../database/move-to-postgres.js');
    for (const { table, rows } of await moveToPostgres(from, to)) print(`${table}: ${rows}`);
    print('Everything was moved. Start the service with the new DATABASE_URL.');
  },
};

function readDatabases(args: Arguments): Record<'from' | 'to', Settings['database']> {
  assertNoOthers(args);
  const from = readDatabase('--from', args.options['from']);
  const to = readDatabase('--to', args.options['to']);
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new UsageError('--from must be a SQLite database, --to a PostgreSQL database.');
  if (!existsSync(from.path)) throw new UsageError(`--from: there is no file ${from.path}`);
  return { from, to };
}

function readDatabase(option: string, url: string | undefined): Settings['database'] {
  if (url === undefined) throw new UsageError(`${option} is missing.`);
  try {
    return readSettings({ DATABASE_URL: url }, { isTerminal: false }).database;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UsageError(error.faults.map((fault) => fault.replace('DATABASE_URL', option)).join('\n'));
  }
}
