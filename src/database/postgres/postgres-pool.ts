import type { Pool } from 'pg';
import { Stopwatch } from '../database-activity.js';
import type { Sql, SqlValues } from '../sql.js';
import type { ReaderConnection } from '../transaction.js';
import type { PostgresSettings } from './pool-options.js';
import { PostgresConnection } from './postgres-connection.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';

/** A broken connection is noticed at its next use; the second attempt opens a new one. */
const MAX_READ_ATTEMPTS = 2;

/** A pool of connections. Each query uses its own connection. */
export class PostgresPool implements ReaderConnection {
  /** All queries so far that this pool ran on a connection of their own. */
  readonly stopwatch = new Stopwatch();

  /** @param pool created with `poolOptions` */
  constructor(
    private readonly pool: Pool,
    private readonly settings: Pick<PostgresSettings, 'statementTimeoutMs'>,
    private readonly isPooled = false,
  ) {}

  async all<Row>(query: Sql<Row>, values?: SqlValues): Promise<Row[]> {
    const startedAt = performance.now();
    try {
      for (let attempt = 1; ; attempt++) {
        const connection = await this.acquire();
        try {
          return await connection.all(query, values);
        } catch (fault) {
          // A read is safe to retry.
          const isWorthAnother = fault instanceof PostgresFault && fault.isTransient;
          if (!isWorthAnother || attempt === MAX_READ_ATTEMPTS) throw fault;
        } finally {
          connection.release();
        }
      }
    } finally {
      this.stopwatch.stop(startedAt);
    }
  }

  /** @throws PostgresFault when no connection is free or can be opened within the configured time */
  async acquire(): Promise<PostgresConnection> {
    try {
      const client = await this.pool.connect();
      return new PostgresConnection(client, this.settings.statementTimeoutMs, this.isPooled);
    } catch (error) {
      throw postgresFault(error);
    }
  }
}
