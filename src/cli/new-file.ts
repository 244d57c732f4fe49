import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFault } from '../settings/settings.js';

/** A file is written under this name, and gets its own once all of it is there. */
export const PARTIAL = '.partial';

/**
 * Makes a file that is whole, and on the disk, when its name appears; after a fault there is none.
 *
 * @param what makes the file, for the words of the fault
 * @param write is given the path to write to, at which there is nothing
 * @throws StartFault when there is a file of the name
 */
export async function writeNewFile<Result>(
  target: string,
  what: string,
  write: (path: string) => Promise<Result>,
): Promise<Result> {
  if (existsSync(target)) throw new StartFault(`${target} exists already; ${what} overwrites nothing.`);
  const partial = target + PARTIAL;
  await rm(partial, { force: true });
  try {
    const result = await write(partial);
    await sync(partial);
    // Unlike a rename it overwrites nothing that came into being meanwhile.
    await link(partial, target);
    await sync(dirname(target));
    return result;
  } finally {
    await rm(partial, { force: true });
  }
}

/** Sees to it that what was written to a file, or to a folder's list of files, outlives a power cut. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
