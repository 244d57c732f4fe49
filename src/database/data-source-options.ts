import type { CustomTypesConfig, PoolConfig } from 'pg';
import types from 'pg-types';
import sqlite3 from 'sqlite3';
import type { DataSourceOptions } from 'typeorm';
import { type PostgresTarget, postgresTarget } from './postgres/postgres-url.js';
import type { Settings } from '../settings/settings.js';
import { MIGRATIONS } from './migrations.js';

/** How long a statement waits for a lock that another process holds on the file. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * TypeORM calls `sqlite3.verbose()`, which records a stack trace for every call and makes each call 2 to 5 times
 * slower. So it gets a driver whose `verbose()` does nothing.
 */
const quietSqlite3: unknown = Object.assign(Object.create(sqlite3), { verbose: () => sqlite3 });

const SCHEMA = {
  migrations: [...MIGRATIONS],
  migrationsTableName: 'migrations',
  synchronize: false,
} as const satisfies Partial<DataSourceOptions>;

/** The options of the data source that migrates and writes. The app, TypeORM's CLI and the tests use them. */
export function writerOptions(database: Settings['database']): DataSourceOptions {
  if (database.kind === 'postgres') {
    const extra = poolOptions(database.url, database);
    // The URL is in both: TypeORM reads names from `url`, and pg reads everything else from `extra`.
    return { ...SCHEMA, type: 'postgres', url: extra.connectionString, extra };
  }
  return {
    ...SCHEMA,
    type: 'sqlite',
    database: database.path,
    driver: quietSqlite3,
    enableWAL: true,
    busyTimeout: BUSY_TIMEOUT_MS,
  };
}

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

/** `postgres-targets.ts` chooses one of the target's URLs before pg connects. */
export interface TargetedPoolOptions extends PoolConfig {
  readonly connectionString: string;
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
  };
}
