import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import sqlite3 from 'sqlite3';
import { SqliteHandle } from '../database/sqlite/sqlite-connection.js';
import { settingsOfExisting, sqlitePath } from './command-database.js';
import { type Command, readFile, UsageError } from './command.js';
import { PARTIAL, writeNewFile } from './new-file.js';

/** Matches the backups in a folder. The names sort by time. */
const NAME = /^posts-(\d{8}T\d{6}Z)\.sqlite$/;
/** Partial files of killed backups are removed once they are older than any backup can take. */
const MAX_PARTIAL_AGE_MS = 24 * 3_600_000;

/**
 * Writes a consistent snapshot of the database, also while the service is running and writing. It blocks neither reads
 * nor writes.
 */
async function writeBackup(target: string, source: string): Promise<string> {
  const { posts } = await writeNewFile(target, 'a backup', async (path) => {
    const database = await SqliteHandle.open(source, sqlite3.OPEN_READONLY);
    try {
      await database.all('VACUUM INTO ?', [path]);
    } finally {
      await database.close();
    }
    // It loads TypeORM, which slows down every other command.
    const { verifySqliteFile } = await import('../database/sqlite/verify-sqlite-file.js');
    return verifySqliteFile(path, source);
  });
  return `${target} holds ${posts} posts; it was verified.`;
}

/** Removes all but the newest backups of a folder, and no other file. @returns the number of removed backups */
async function prune(folder: string, keep: number, now: Date): Promise<number> {
  const names = await readdir(folder);
  const old = names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep);
  const oldest = stampOf(new Date(now.getTime() - MAX_PARTIAL_AGE_MS));
  const left = names.filter(
    (name) => name.endsWith(PARTIAL) && (NAME.exec(name.slice(0, -PARTIAL.length))?.[1] ?? oldest) < oldest,
  );
  for (const name of [...old, ...left]) await rm(join(folder, name));
  return old.length;
}

/** Formats a date like `20261120T144000Z`. */
function stampOf(date: Date): string {
  return date.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

export const backup: Command = {
  name: 'backup',
  usage: 'FILE | FOLDER --keep NUMBER',
  summary:
    'Write a consistent, verified copy of the SQLite database, also while the service runs. With --keep its ' +
    'name is the current time, and all backups in FOLDER but the newest NUMBER are removed.',
  options: ['keep'],

  async run(args, print) {
    const path = resolve(readFile(args));
    const { keep } = args.options;
    const source = sqlitePath(settingsOfExisting());
    if (keep === undefined) {
      print(await writeBackup(path, source));
      return;
    }
    if (!/^[1-9]\d{0,4}$/.test(keep)) throw new UsageError('--keep: must be a number from 1 to 99999.');
    const now = new Date();
    await mkdir(path, { recursive: true });
    print(await writeBackup(join(path, `posts-${stampOf(now)}.sqlite`), source));
    const removed = await prune(path, Number(keep), now);
    if (removed > 0) print(`Older backups that were removed: ${removed}.`);
  },
};
