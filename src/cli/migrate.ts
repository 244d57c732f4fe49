import 'reflect-metadata';
import { loadSettings } from '../settings/load-settings.js';
import { assertNoOthers, type Command } from './command.js';

/** Migrates the schema, for a service whose database role must not (DATABASE_MIGRATE=off). */
export const migrateDatabase: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the schema of the database up to date, and end. On SQLite the service must not run.',

  async run(args, print) {
    assertNoOthers(args);
    const { database } = loadSettings();
    const { writerOptions } = await import('../database/data-source-options.js');
    const { openDataSource } = await import('../database/open-database.js');
    await (await openDataSource(writerOptions(database))).destroy();
    print('The schema is up to date.');
  },
};
