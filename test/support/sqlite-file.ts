import sqlite3 from 'sqlite3';

/** Runs statements on a SQLite file, on a separate connection. */
export async function executeOn(path: string, sql: string): Promise<void> {
  await queryOn(path, sql);
}

/** @returns the rows of a query on a SQLite file */
export async function queryOn<Row>(path: string, sql: string): Promise<Row[]> {
  const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, (error) =>
      error ? reject(error) : resolve(opened),
    );
  });
  try {
    return await new Promise<Row[]>((resolve, reject) => {
      handle.all<Row>(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
    });
  } finally {
    await new Promise((done) => {
      handle.close(done);
    });
  }
}
