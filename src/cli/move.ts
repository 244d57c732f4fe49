import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings, type Settings, SettingsError } from '../settings/settings.js';
import { type Command, UsageError } from './command.js';

/** Moves all that a service has on SQLite to PostgreSQL. */
export const move: Command = {
  name: 'move',
  usage: '--from sqlite:<file> --to postgres://user:password@host:port/database',
  summary: 'Copies everything to an empty PostgreSQL database. Stop the service first.',

  async run(args, print) {
    const { from, to } = readArguments(args);
    const { moveToPostgres } = await import('../database/move-to-postgres.js');
    for (const { table, rows } of await moveToPostgres(from, to)) print(`${table}: ${rows}`);
    print('Everything was moved. Start the service with the new DATABASE_URL.');
  },
};

function readArguments(args: readonly string[]): Record<'from' | 'to', Settings['database']> {
  const from = readDatabase('--from', optionsOf(args).from);
  const to = readDatabase('--to', optionsOf(args).to);
  if (from.kind !== 'sqlite' || to.kind !== 'postgres')
    throw new UsageError('A move leads from SQLite to PostgreSQL.');
  if (!existsSync(from.path)) throw new UsageError(`--from: there is no file ${from.path}`);
  return { from, to };
}

function optionsOf(args: readonly string[]): { from?: string | undefined; to?: string | undefined } {
  try {
    return parseArgs({ args: [...args], options: { from: { type: 'string' }, to: { type: 'string' } } })
      .values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
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
