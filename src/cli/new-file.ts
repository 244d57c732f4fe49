import { existsSync } from 'node:fs';
import { access, link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartFault } from '../settings/settings.js';

/** The suffix of a file until it is complete; then it is renamed. */
export const PARTIAL = '.partial';

/**
 * Creates a file whose name appears only when its content is complete and synced to disk. After a failure there is no
 * file.
 *
 * @param what names the file's creator in the error message
 * @param write is given the path to write to; no file exists there
 * @throws StartFault when the file already exists
 */
export async function writeNewFile<Result>(
  target: string,
  what: string,
  write: (path: string) => Promise<Result>,
): Promise<Result> {
  if (existsSync(target)) throw new StartFault(`${target} exists already; ${what} overwrites nothing.`);
  // SQLite and streams would say less about a missing folder.
  await access(dirname(target));
  const partial = target + PARTIAL;
  await rm(partial, { force: true });
  try {
    const result = await write(partial);
    await sync(partial);
    // Unlike rename(), link() does not overwrite a file that was created in the meantime.
    await link(partial, target);
    await sync(dirname(target));
    return result;
  } finally {
    await rm(partial, { force: true });
  }
}

/** Syncs a file, or a folder's entries, to disk, so that it survives a power cut. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
