import type { ClientBase, CustomTypesConfig, PoolConfig } from 'pg';
import types from 'pg-types';
import type { Settings } from '../../settings/settings.js';
import { READ_ONLY_SERVER } from './postgres-fault.js';
import { type PostgresTarget, postgresTarget } from './postgres-url.js';

export type PostgresSettings = Extract<Settings['database'], { kind: 'postgres' }>;

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

export interface TargetedPoolOptions extends PoolConfig {
  /** The one of the target's URLs that the next connection uses. */
  connectionString: string;
  readonly target: PostgresTarget;
}

/** The options of a connection pool for the primary or a replica. */
export function poolOptions(url: string, settings: PostgresSettings): TargetedPoolOptions {
  const target = postgresTarget(url);
  return {
    connectionString: target.urls[0]!,
    target,
    max: settings.poolSize,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: settings.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // synchronous_commit: a commit is on the disk before it is acknowledged, regardless of the server's default. jit:
    // compiling a query takes some hundred milliseconds, more than our queries take. gin_pending_list_limit: an INSERT
    // must not have to sort the index's pending list; see src/search/index-upkeep.ts. The last of two equal options
    // wins, so ours follow the URL's.
    options: `${target.options} -c synchronous_commit=on -c jit=off -c gin_pending_list_limit=64MB`.trim(),
    application_name: 'posts-service',
    keepAlive: true,
    types: numericTypes,
    // oxlint-disable-next-line typescript/no-misused-promises -- pg-pool awaits it, which its types do not say
    onConnect: async (client) => {
      // Without a listener, the `error` event of a connection that breaks would end the process. The next query fails.
      client.on('error', () => undefined);
      if (target.mustWrite) await assertWritable(client, settings.connectTimeoutMs);
    },
  };
}

async function assertWritable(client: ClientBase, timeoutMs: number): Promise<void> {
  // pg's types do not declare the timeout.
  const show = { text: 'SHOW transaction_read_only', query_timeout: timeoutMs };
  const { rows } = await client.query<{ transaction_read_only: string }>(show);
  if (rows[0]!.transaction_read_only === 'on') throw new Error(READ_ONLY_SERVER);
}

/** Makes the next connection go to the next of the target's URLs. */
export function useNextTarget(options: TargetedPoolOptions): void {
  const { urls } = options.target;
  options.connectionString = urls[(urls.indexOf(options.connectionString) + 1) % urls.length]!;
}
