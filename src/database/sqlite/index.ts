/** What the database's other files may use of SQLite. */
export { openSqlite } from './open-sqlite.js';

// For commands.
export { SqliteFile } from './sqlite-file.js';
