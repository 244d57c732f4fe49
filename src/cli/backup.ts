import { resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { StartFault } from '../start-fault.js';
import { loadSettings } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import { type Command, UsageError } from './command.js';
import { exists, writeNewFile } from './new-file.js';
import { sqlitePath, verify, withFile } from './sqlite-file.js';

/**
 * Writes a consistent copy of the database, also while the service runs and writes: the copy is that of one moment, and
 * nobody waits for it.
 */
async function writeBackup(file: string, settings: Settings): Promise<string> {
  const source = sqlitePath(settings);
  const target = resolve(file);
  if (!(await exists(source))) throw new StartFault(`There is no database at ${source}.`);
  const posts = await writeNewFile(target, 'a backup', async (path) => {
    await withFile(source, sqlite3.OPEN_READONLY, (opened) => opened.all('VACUUM INTO ?', [path]));
    return verify(path);
  });
  return `${target} holds ${posts} posts; it was verified.`;
}

export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Write a consistent, verified copy of the SQLite database, also while the service runs.',
  async run([file, ...others], print) {
    if (file === undefined || others.length > 0) throw new UsageError('One file is needed.');
    print(await writeBackup(file, loadSettings()));
  },
};
