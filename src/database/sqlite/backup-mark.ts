import { appendFile, stat, utimes } from 'node:fs/promises';
import { giveToOwner } from './sqlite-files.js';

/**
 * Notes that a backup was made, for the metrics of the service: by the time of a file beside the database. It stays empty,
 * because the disk of the database may be full.
 */
export async function noteBackup(databasePath: string): Promise<void> {
  const path = `${databasePath}-backup`;
  await appendFile(path, '');
  const now = new Date();
  await utimes(path, now, now);
  await giveToOwner(path, databasePath);
}

/** @returns milliseconds since 1970; 0 when no backup was made */
export async function lastBackup(databasePath: string): Promise<number> {
  return (await stat(`${databasePath}-backup`).catch(() => undefined))?.mtimeMs ?? 0;
}
