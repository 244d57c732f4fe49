import { stat, writeFile } from 'node:fs/promises';

/** Notes that a backup was made, for the metrics of the service: by the time of a file beside the database. */
export async function noteBackup(databasePath: string): Promise<void> {
  await writeFile(`${databasePath}-backup`, `${new Date().toISOString()}\n`);
}

/** @returns milliseconds since 1970; 0 when no backup was made */
export async function lastBackup(databasePath: string): Promise<number> {
  return (await stat(`${databasePath}-backup`).catch(() => undefined))?.mtimeMs ?? 0;
}
