import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import type { SnapshotConnection } from '../snapshots.js';
import type { PostgresConnection } from './postgres-connection.js';
import type { PostgresPool } from './postgres-pool.js';

/** The HTTP server disconnects a client that reads nothing for this long. */
const IDLE_TIMEOUT_MS = 150_000;
/** The server ignores a cancel request that arrives before its query, so it is repeated until the query has ended. */
const CANCEL_INTERVAL_MS = 200;

/** A read-only transaction that sees one state of the database for the duration of a stream. */
export class PostgresSnapshot implements SnapshotConnection {
  /** The last query. It must have ended before the connection is released. */
  #running: Promise<unknown> = Promise.resolve();

  private constructor(private readonly connection: PostgresConnection) {}

  static async begin(pool: PostgresPool): Promise<PostgresSnapshot> {
    const connection = await pool.acquire();
    try {
      connection.begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await connection.execute(`SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`);
    } catch (error) {
      connection.release();
      throw error;
    }
    return new PostgresSnapshot(connection);
  }

  all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    const rows = this.connection.all<Row>(query, values);
    this.#running = rows.catch(() => undefined);
    return rows;
  }

  async close(): Promise<void> {
    this.connection.cancel();
    const timer = setInterval(() => this.connection.cancel(), CANCEL_INTERVAL_MS);
    await this.#running;
    clearInterval(timer);
    await this.connection.rollback();
    this.connection.release();
  }
}
