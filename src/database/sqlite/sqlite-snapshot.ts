import sqlite3 from 'sqlite3';
import { BUSY_TIMEOUT_MS } from '../data-source-options.js';
import type { SnapshotConnection } from '../snapshots.js';
import { SqliteConnection, sqliteFault, SqliteHandle } from './sqlite-connection.js';

/** An interrupt does nothing to a statement that has yet to begin, so it is repeated until all are over. */
const INTERRUPT_INTERVAL_MS = 20;

/**
 * Begins a read transaction on a connection of its own: the shared reader must not stand still, and a connection has one
 * transaction. It takes less than a millisecond.
 */
export async function beginSqliteSnapshot(path: string): Promise<SnapshotConnection> {
  const handle = await SqliteHandle.open(path, sqlite3.OPEN_READONLY).catch((error: Error) => {
    throw sqliteFault(error);
  });
  const { database } = handle;
  database.configure('busyTimeout', BUSY_TIMEOUT_MS);
  const connection = new SqliteConnection(database);
  /** Closing ends the transaction, once the running statements are over. */
  const close = async (): Promise<void> => {
    database.interrupt();
    const timer = setInterval(() => database.interrupt(), INTERRUPT_INTERVAL_MS);
    await connection.finalize();
    clearInterval(timer);
    await handle.close();
  };
  try {
    // The first read fixes the state that is seen; BEGIN alone does not.
    for (const sql of ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1']) await connection.execute(sql);
  } catch (error) {
    await close();
    throw error;
  }
  return { all: (query, values) => connection.all(query, values), close };
}
