import type { Pool } from 'pg';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import type { PostgresSettings, TargetedPoolOptions } from '../data-source-options.js';
import { Stopwatch } from '../database-activity.js';
import type { ReaderConnection } from '../database.js';
import { PostgresConnection } from './postgres-connection.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';

/** A broken connection is noticed at its next use; the second attempt opens a new one. */
const MAX_READ_ATTEMPTS = 2;

/** A pool of connections. Each query uses its own connection. */
export class PostgresPool implements ReaderConnection {
  readonly #names: StatementNames;

  /** All queries so far that this pool ran on a connection of their own. */
  readonly stopwatch = new Stopwatch();

  constructor(
    private readonly pool: Pool,
    private readonly settings: Pick<PostgresSettings, 'statementTimeoutMs'>,
    { isPooled } = { isPooled: false },
  ) {
    this.#names = new StatementNames(isPooled);
    // A server may close a connection right after accepting it, before the waiting caller, a microtask later, adds its
    // listener. Without a listener, the `error` event would end the process. With this one, the first query fails
    // instead.
    pool.on('connect', (client) => client.on('error', () => undefined));
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
        // A read is safe to retry.
        const isWorthAnother = fault instanceof PostgresFault && fault.isTransient;
        if (!isWorthAnother || attempt === MAX_READ_ATTEMPTS) throw fault;
      } finally {
        connection.release();
      }
    }
  }

  /** How many servers, or ways to one, the clients of the pool try; see postgres-targets.ts. */
  get #targets(): number {
    return (this.pool.options as Partial<TargetedPoolOptions>).target?.urls.length ?? 1;
  }

  /** @throws PostgresFault when no connection is free or can be opened within the configured time */
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
        // The next attempt connects to the next server of the URL.
        if (fault.kind === 'busy' || attempt >= this.#targets) throw fault;
      }
    }
  }
}

/**
 * More than the distinct queries in use at a time. Each prepared statement takes some kilobytes in every connection.
 */
const MAX_PREPARED_STATEMENTS = 200;

/**
 * Names for query texts. PostgreSQL parses a named query once per connection. The first texts get a name; these are the
 * ones that run most.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /**
   * @param isPooled whether a pooler may send each query over another connection, where the name is unknown (PgBouncer
   *   < 1.21)
   */
  constructor(private readonly isPooled: boolean) {}

  /** @returns undefined behind a pooler, or when all names are used */
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
