import type { Pool } from 'pg';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import type { PostgresSettings } from '../data-source-options.js';
import { type ReaderConnection, Stopwatch } from '../database.js';
import { PostgresConnection } from './postgres-connection.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';

/** A connection that broke is found out at its next use; the second one is new. */
const MAX_READ_ATTEMPTS = 2;

/** A pool of connections; each query takes one for itself. */
export class PostgresPool implements ReaderConnection {
  readonly #names: StatementNames;
  readonly #targets: number;

  /** All queries so far that took a connection for themselves. */
  readonly stopwatch = new Stopwatch();

  constructor(
    private readonly pool: Pool,
    private readonly settings: Pick<PostgresSettings, 'statementTimeoutMs'>,
    { isPooled = false, targets = 1 } = {},
  ) {
    this.#names = new StatementNames(isPooled);
    this.#targets = targets;
    // A server may end a connection in the same breath in which it accepts it: before whoever waits for it, a microtask
    // later, can listen. Without a listener that would end the process; with one, the first query fails.
    pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** How many wait for a connection. */
  get waiting(): number {
    return this.pool.waitingCount;
  }

  get connections(): { idle: number; busy: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { idle: idleCount, busy: totalCount - idleCount, waiting: waitingCount };
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
    for (let attempt = 1; ; attempt++) {
      try {
        return new PostgresConnection(
          await this.pool.connect(),
          this.#names,
          this.settings.statementTimeoutMs,
        );
      } catch (error) {
        const fault = postgresFault(error);
        // The next connection is tried with the next server of the URL.
        if (fault.kind === 'busy' || attempt >= this.#targets) throw fault;
      }
    }
  }
}

/** More shapes of query than are in use at a time; each takes some kilobytes in every connection. */
const MAX_PREPARED_STATEMENTS = 200;

/**
 * Names for the texts of queries: PostgreSQL parses a query with a name once a connection. The first texts get one, which
 * are those that are run most.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** @param isPooled whether a pooler may send each query over another connection, which knows no such name (PgBouncer < 1.21) */
  constructor(private readonly isPooled: boolean) {}

  /** @returns undefined where there are too many */
  of(text: string): string | undefined {
    if (this.isPooled) return undefined;
    let name = this.#names.get(text);
    if (name === undefined) {
      if (this.#names.size >= MAX_PREPARED_STATEMENTS) return undefined;
      name = `posts_${this.#names.size}`;
      this.#names.set(text, name);
    }
    return name;
  }
}
