import sqlite3 from 'sqlite3';

/** A SQLite file that is open, for a few statements of our own. (Queries go through a `SqliteConnection`.) */
export class SqliteHandle {
  private constructor(readonly database: sqlite3.Database) {}

  /** @param mode sqlite3's flags; by default the file is made when it is not there */
  static open(path: string, mode = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE): Promise<SqliteHandle> {
    return new Promise((resolve, reject) => {
      const database: sqlite3.Database = new sqlite3.Database(path, mode, (error) => {
        if (error) reject(error);
        else resolve(new SqliteHandle(database));
      });
    });
  }

  all<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.database.all<Row>(sql, parameters, (error, rows) => {
        if (error) reject(error);
        else resolve(rows);
      });
    });
  }

  /** Lets go of the file, and of what is locked or open in it, once the statements that run are over. */
  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.close((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
