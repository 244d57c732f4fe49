import type { Pool } from 'pg';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import { Stopwatch } from '../database-activity.js';
import type { ReaderConnection } from '../database.js';
import { PostgresConnection } from './postgres-connection.js';
import type { PostgresSettings } from './pool-options.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';
import { StatementNames } from './statement-names.js';

/** A connection that broke is found out at its next use; the second one is new. */
const MAX_READ_ATTEMPTS = 2;

/** A pool of connections; each query takes one for itself. */
export class PostgresPool implements ReaderConnection {
  readonly #names = new StatementNames();

  /** All queries so far that took a connection for themselves. */
  readonly stopwatch = new Stopwatch();

  constructor(
    private readonly pool: Pool,
    private readonly settings: Pick<PostgresSettings, 'statementTimeoutMs'>,
  ) {
    // A server may end a connection in the same breath in which it accepts it: before whoever waits for it, a microtask
    // later, can listen. Without a listener that would end the process; with one, the first query fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount;
  }

  async all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    const startedAt = performance.now();
    try {
      return await this.#all<Row>(query, values);
    } finally {
      this.stopwatch.stop(startedAt);
    }
  }

  async #all<Row>(query: CompiledQuery, values?: QueryValues): Promise<Row[]> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.acquire();
      try {
        return await connection.all<Row>(query, values);
      } catch (fault) {
        // Sending a read twice changes nothing.
        const isWorthAnother = fault instanceof PostgresFault && fault.isTransient;
        if (!isWorthAnother || attempt === MAX_READ_ATTEMPTS) throw fault;
      } finally {
        connection.release();
      }
    }
  }

  /** @throws PostgresFault when none becomes free, or none can be opened, within the time that the settings allow */
  async acquire(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.pool.connect(), this.#names, this.settings.statementTimeoutMs);
    } catch (error) {
      throw postgresFault(error);
    }
  }
}
