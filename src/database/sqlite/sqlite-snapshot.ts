import sqlite3 from 'sqlite3';
import { BUSY_TIMEOUT_MS } from '../data-source-options.js';
import type { SnapshotConnection } from '../snapshots.js';
import { SqliteConnection, sqliteFault, SqliteHandle } from './sqlite-connection.js';

/** An interrupt does not affect a statement that has not begun, so it is repeated until all have ended. */
const INTERRUPT_INTERVAL_MS = 20;

/**
 * Begins a read transaction on its own connection: a connection has one transaction, and the shared reader must stay
 * available. It takes less than a millisecond.
 */
export async function beginSqliteSnapshot(path: string): Promise<SnapshotConnection> {
  const handle = await SqliteHandle.open(path, sqlite3.OPEN_READONLY).catch((error: Error) => {
    throw sqliteFault(error);
  });
  const { database } = handle;
  database.configure('busyTimeout', BUSY_TIMEOUT_MS);
  const connection = new SqliteConnection(database);
  /** Ends the transaction after the running statements. */
  const close = async (): Promise<void> => {
    database.interrupt();
    const timer = setInterval(() => database.interrupt(), INTERRUPT_INTERVAL_MS);
    await connection.finalize();
    clearInterval(timer);
    await handle.close();
  };
  try {
    // The first read fixes the visible state; BEGIN alone does not.
    for (const sql of ['BEGIN', 'SELECT 1 FROM sqlite_schema LIMIT 1']) await connection.execute(sql);
  } catch (error) {
    await close();
    throw error;
  }
  return { all: (query, values) => connection.all(query, values), close };
}
