import sqlite3 from 'sqlite3';
import { StartFault } from '../start-fault.js';
import type { Settings } from '../settings/settings.js';

/** @throws StartFault when the settings name a PostgreSQL database, which has its own tools */
export function sqlitePath({ database }: Settings): string {
  if (database.kind === 'sqlite') return database.path;
  throw new StartFault(
    'DATABASE_URL names a PostgreSQL database: use pg_dump and pg_restore; see docs/operations.md.',
  );
}

/** Opens a SQLite file for as long as the work takes. */
export async function withFile<Result>(
  path: string,
  mode: number,
  work: (all: <Row>(sql: string, parameters?: unknown[]) => Promise<Row[]>) => Promise<Result>,
): Promise<Result> {
  const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, mode, (error) => {
      if (error) reject(error);
      else resolve(opened);
    });
  });
  try {
    return await work(
      <Row>(sql: string, parameters: unknown[] = []) =>
        new Promise<Row[]>((resolve, reject) => {
          handle.all<Row>(sql, parameters, (error, rows) => {
            if (error) reject(error);
            else resolve(rows);
          });
        }),
    );
  } finally {
    await new Promise((done) => {
      handle.close(done);
    });
  }
}

/** Reads every page of a copy. @returns how many posts it holds @throws StartFault when it is not sound */
export async function verify(path: string): Promise<number> {
  try {
    return await withFile(path, sqlite3.OPEN_READONLY, async (all) => {
      const faults = await all<{ integrity_check: string }>('PRAGMA integrity_check');
      if (faults[0]?.integrity_check !== 'ok') throw new Error(faults[0]?.integrity_check);
      const [row] = await all<{ count: number }>('SELECT count(*) AS count FROM posts');
      return row!.count;
    });
  } catch (cause) {
    throw new StartFault(`${path} is not a sound database of the service.`, { cause });
  }
}
