import { promisify } from 'node:util';
import sqlite3 from 'sqlite3';

/** Runs statements on a SQLite file, on a separate connection. */
export async function executeOn(path: string, sql: string): Promise<void> {
  const close = await holdOn(path, sql);
  await close();
}

/** Runs statements on a separate connection, which is closed by the returned function. */
export async function holdOn(path: string, sql: string): Promise<() => Promise<void>> {
  const handle = await open(path);
  const close = promisify(handle.close.bind(handle));
  try {
    await promisify(handle.exec.bind(handle))(sql);
    return close;
  } catch (error) {
    await close();
    throw error;
  }
}

/** @returns the rows of a query on a SQLite file */
export async function queryOn<Row>(path: string, sql: string): Promise<Row[]> {
  const handle = await open(path);
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      handle.all<Row>(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  } finally {
    await promisify(handle.close.bind(handle))();
  }
}

function open(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const handle: sqlite3.Database = new sqlite3.Database(path, (error) =>
      error ? reject(error) : resolve(handle),
    );
  });
}

/** @returns the number of rows in a table of a SQLite file */
export async function countOn(path: string, table = 'posts'): Promise<number> {
  const [row] = await queryOn<{ count: number }>(path, `SELECT count(*) AS count FROM ${table}`);
  return row!.count;
}
