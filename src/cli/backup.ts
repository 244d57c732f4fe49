import { link, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { StartFault } from '../start-fault.js';
import { loadSettings } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import { type Command, UsageError } from './command.js';
import { sqlitePath, sync, verify, withFile } from './sqlite-file.js';

/** Copies are made under this name and get their own once they are verified. */
const PARTIAL = '.partial';

/**
 * Writes a consistent copy of the database, also while the service runs and writes: the copy is that of one moment, and
 * nobody waits for it.
 */
async function writeBackup(file: string, settings: Settings): Promise<string> {
  const source = sqlitePath(settings);
  const target = resolve(file);
  if (await exists(target)) throw new StartFault(`${target} exists already; a backup overwrites nothing.`);
  if (!(await exists(source))) throw new StartFault(`There is no database at ${source}.`);
  const partial = target + PARTIAL;
  await rm(partial, { force: true });
  try {
    await withFile(source, sqlite3.OPEN_READONLY, (all) => all('VACUUM INTO ?', [partial]));
    const posts = await verify(partial);
    await sync(partial);
    // Unlike a rename it overwrites nothing that came into being meanwhile.
    await link(partial, target);
    await sync(dirname(target));
    return `${target} holds ${posts} posts; it was verified.`;
  } finally {
    await rm(partial, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
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
