import { stat, writeFile } from 'node:fs/promises';

/** A file beside a SQLite database; its time is that of the last backup. */
function backupMark(databasePath: string): string {
  return `${databasePath}-backup`;
}

/** Notes that a backup was made, for the metrics of the service. */
export async function noteBackup(databasePath: string): Promise<void> {
  await writeFile(backupMark(databasePath), `${new Date().toISOString()}\n`);
}

/** @returns milliseconds since 1970; 0 when no backup was made */
export async function lastBackup(databasePath: string): Promise<number> {
  return stat(backupMark(databasePath)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
