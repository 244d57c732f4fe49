import { chmod, copyFile, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { SqliteServiceLock } from '../database/sqlite/sqlite-service-lock.js';
import { loadSettings } from '../settings/load-settings.js';
import { type Settings, StartFault } from '../settings/settings.js';
import { readFileAndOptions } from './command-options.js';
import type { Command } from './command.js';
import { sync } from './new-file.js';
import { sqlitePath, verify } from './sqlite-file.js';

/** What belongs to a database: the file, and the two that SQLite keeps beside it. */
const PARTS = ['', '-wal', '-shm'];

/**
 * Puts a backup in the place of the database. The service must not run. What was there before is kept beside it, under
 * another name.
 */
async function putBack(file: string, settings: Settings): Promise<string> {
  const target = resolve(sqlitePath(settings));
  const source = resolve(file);
  if (source === target) throw new StartFault('The backup and the database are the same file.');
  const lock = await SqliteServiceLock.acquire(target);
  const partial = `${target}.restoring`;
  try {
    await verify(source);
    await copyFile(source, partial);
    // The copy has the mode of the backup, which others may be allowed to read.
    await chmod(partial, 0o600);
    const posts = await verify(partial);
    await sync(partial);
    const kept = await moveAside(target);
    await rename(partial, target);
    await sync(dirname(target));
    return `${target} holds ${posts} posts.${kept === undefined ? '' : ` What was there before is kept as ${kept}.`}`;
  } finally {
    for (const part of PARTS) await rm(partial + part, { force: true });
    await lock.release();
  }
}

/** @returns the name under which the database is kept; undefined when there was none */
async function moveAside(path: string): Promise<string | undefined> {
  const kept = `${path}.${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
  let found = false;
  for (const part of PARTS) {
    try {
      await rename(path + part, kept + part);
      found = true;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    }
  }
  return found ? kept : undefined;
}

export const restore: Command = {
  name: 'restore',
  usage: 'FILE',
  summary: 'Put a backup in the place of the SQLite database; the service must not run.',
  async run(args, print) {
    print(await putBack(readFileAndOptions(args, []).file, loadSettings()));
  },
};
