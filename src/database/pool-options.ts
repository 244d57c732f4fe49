import type { CustomTypesConfig, PoolConfig } from 'pg';
import types from 'pg-types';
import type { Settings } from '../settings/settings.js';
import { type PostgresTarget, postgresTarget } from '../settings/postgres-url.js';

type PostgresSettings = Extract<Settings['database'], { kind: 'postgres' }>;

/** A transaction of a frozen instance must not block the rows that it has locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

const INT8: number = types.builtins.INT8;

/**
 * pg returns 64-bit integers as text; ours (ids, versions, counts) are below 2^53. (`pg-types` is imported instead of
 * pg, which is loaded only for PostgreSQL: on Node 20 it also loads `fetch`, which takes 40 ms at start and 9 MiB.)
 */
const numericTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format),
};

export interface PostgresPoolOptions extends PoolConfig, PostgresTarget {
  readonly connectionString: string;
  readonly max: number;
  readonly statement_timeout: number;
  readonly options: string;
}

/** The options of PostgreSQL's connection pool. */
export function poolOptions(url: string, settings: PostgresSettings): PostgresPoolOptions {
  const target = postgresTarget(url);
  return {
    ...target,
    max: settings.poolSize,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: settings.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // synchronous_commit: a commit is on the disk before it is acknowledged, regardless of the server's default. jit:
    // compiling a query takes some hundred milliseconds, more than our queries take. The last of two equal options wins,
    // so ours follow the URL's.
    options: `${target.options} -c synchronous_commit=on -c jit=off`.trim(),
    application_name: 'posts-service',
    keepAlive: true,
    types: numericTypes,
    // Without a listener, the `error` event of a connection that breaks would end the process. The next query fails.
    onConnect: (client) => void client.on('error', () => undefined),
  };
}
