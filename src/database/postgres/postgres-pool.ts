import type { CustomTypesConfig, Pool, PoolConfig } from 'pg';
import types from 'pg-types';
import type { Settings } from '../../settings/settings.js';
import type { CompiledQuery, QueryValues } from '../compiled-query.js';
import { Stopwatch } from '../database-activity.js';
import type { Queryable } from '../database.js';
import { PostgresConnection } from './postgres-connection.js';
import { PostgresFault, postgresFault } from './postgres-fault.js';
import { StatementNames } from './statement-names.js';

export type PostgresSettings = Extract<Settings['database'], { kind: 'postgres' }>;

/** A transaction whose instance has stopped moving must not keep others from the rows that it has locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/** A connection that broke is found out at its next use; the second one is new. */
const MAX_READ_ATTEMPTS = 2;

const INT8: number = types.builtins.INT8;

/**
 * pg gives 64-bit integers as text; ours (ids, versions, counts) are below 2^53. (pg itself is loaded only for a database of
 * PostgreSQL: on Node 20 it brings `fetch` with it, 40 ms of a start and 9 MiB.)
 */
const numericTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format),
};

/** The options of a pool of connections to the primary or to a replica. */
export function poolOptions(url: string, settings: PostgresSettings): PoolConfig {
  return {
    connectionString: withLibpqSslModes(url),
    max: settings.poolSize,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: settings.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // A commit is on the disk before it is acknowledged, whatever the server's own default. No query runs so long that
    // compiling it would pay: that takes some hundred milliseconds. And no INSERT is to sort all that an index has gathered:
    // see gathered-words.ts.
    options: '-c synchronous_commit=on -c jit=off -c gin_pending_list_limit=64MB',
    application_name: 'posts-service',
    keepAlive: true,
    types: numericTypes,
  };
}

/** Gives `sslmode` the meaning that it has for every other PostgreSQL client; pg would take `require` for `verify-full`. */
function withLibpqSslModes(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('sslmode')) return url;
  return `${url}&uselibpqcompat=true`;
}

/** A pool of connections; each query takes one for itself. */
export class PostgresPool implements Queryable {
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
