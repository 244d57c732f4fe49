import type { CustomTypesConfig, PoolConfig } from 'pg';
import types from 'pg-types';
import type { Settings } from '../../settings/settings.js';

export type PostgresSettings = Extract<Settings['database'], { kind: 'postgres' }>;

/** A transaction whose instance has stopped moving must not keep others from the rows that it has locked. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

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
    // see batched-words.ts.
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
