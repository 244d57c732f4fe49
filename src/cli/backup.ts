import { resolve } from 'node:path';
import { loadSettings } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import type { Command } from './command.js';
import { assertExists, readFileAndOptions } from './command-options.js';
import { writeNewFile } from './new-file.js';
import { sqlitePath, verify, withFile } from './sqlite-file.js';

/**
 * Writes a consistent copy of the database, also while the service runs and writes: the copy is that of one moment, and
 * nobody waits for it.
 */
async function writeBackup(file: string, settings: Settings): Promise<string> {
  const source = sqlitePath(settings);
  const target = resolve(file);
  assertExists(settings);
  const posts = await writeNewFile(target, 'a backup', async (path) => {
    await withFile(source, (opened) => opened.all('VACUUM INTO ?', [path]));
    return verify(path);
  });
  return `${target} holds ${posts} posts; it was verified.`;
}

export const backup: Command = {
  name: 'backup',
  usage: 'FILE',
  summary: 'Write a consistent, verified copy of the SQLite database, also while the service runs.',
  async run(args, print) {
    print(await writeBackup(readFileAndOptions(args, []).file, loadSettings()));
  },
};
