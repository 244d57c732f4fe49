import sqlite3 from 'sqlite3';
import { SqliteHandle } from '../database/sqlite/sqlite-handle.js';
import { type Settings, StartFault } from '../settings/settings.js';

/** @throws StartFault when the settings name a PostgreSQL database, which has its own tools */
export function sqlitePath({ database }: Settings): string {
  if (database.kind === 'sqlite') return database.path;
  throw new StartFault(
    'DATABASE_URL names a PostgreSQL database: use pg_dump and pg_restore; see docs/operations.md.',
  );
}

/** Opens a SQLite file for reading, for as long as the work takes. */
export async function withFile<Result>(
  path: string,
  work: (file: SqliteHandle) => Promise<Result>,
): Promise<Result> {
  const file = await SqliteHandle.open(path, sqlite3.OPEN_READONLY);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Reads every page of a copy. @returns how many posts it holds @throws StartFault when it is not sound */
export async function verify(path: string): Promise<number> {
  try {
    return await withFile(path, async (file) => {
      const faults = await file.all<{ integrity_check: string }>('PRAGMA integrity_check');
      if (faults[0]?.integrity_check !== 'ok') throw new Error(faults[0]?.integrity_check);
      const [row] = await file.all<{ count: number }>('SELECT count(*) AS count FROM posts');
      return row!.count;
    });
  } catch (cause) {
    throw new StartFault(`${path} is not a sound database of the service.`, { cause });
  }
}
