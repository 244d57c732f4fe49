import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartFault } from '../settings/settings.js';

/** Syncs a file, or a folder's entries, to disk, so that it survives a power cut. */
export async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The file beside a backup with its checksum, in the format of `sha256sum --check`. */
export function checksumFile(backup: string): string {
  return `${backup}.sha256`;
}

/** @param path where the backup is now; its name may still be another one */
export async function writeChecksum(backup: string, path: string): Promise<void> {
  const file = checksumFile(backup);
  await rm(file, { force: true });
  await writeFile(file, `${await digestOf(path)}  ${basename(backup)}\n`, { flag: 'wx', mode: 0o600 });
  await sync(file);
}

/**
 * Compares a backup with its checksum.
 *
 * @returns whether there is a checksum
 * @throws StartFault
 */
export async function assertUnchanged(backup: string): Promise<boolean> {
  const text = await readFile(checksumFile(backup), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return false;
  if (text.slice(0, 64) !== (await digestOf(backup)))
    throw new StartFault(`${backup} has changed since the backup was made: it does not fit its checksum.`);
  return true;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
