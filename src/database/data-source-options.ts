import type { CustomTypesConfig, PoolConfig } from 'pg';
import types from 'pg-types';
import sqlite3 from 'sqlite3';
import type { DataSourceOptions } from 'typeorm';
import { type PostgresTarget, postgresTarget } from '../settings/postgres-url.js';
import type { Settings } from '../settings/settings.js';
import { MIGRATIONS } from './known-migrations.js';

/** How long a statement waits for a lock that another process holds on the file. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * TypeORM asks for `sqlite3.verbose()`, which notes a stack trace for every call and makes each of them 2 to 5 times
 * slower; so it is given a driver whose `verbose()` changes nothing.
 */
const quietSqlite3: unknown = Object.assign(Object.create(sqlite3), { verbose: () => sqlite3 });

const SCHEMA = {
  migrations: MIGRATIONS,
  migrationsTableName: 'migrations',
  synchronize: false,
} as const satisfies Partial<DataSourceOptions>;

/** The options of the data source that migrates and writes: those of the app, of TypeORM's CLI and of the tests. */
export function writerOptions(database: Settings['database']): DataSourceOptions {
  if (database.kind === 'postgres') {
    const extra = poolOptions(database.url, database);
    // The URL is in both: TypeORM reads names from it, and pg all the rest.
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

/** Before pg connects, `postgres-targets.ts` chooses one of the URLs. */
export interface TargetedPoolOptions extends PoolConfig {
  readonly connectionString: string;
  readonly target: PostgresTarget;
}

/** The options of a pool of connections to the primary or to a replica. */
export function poolOptions(url: string, settings: PostgresSettings): TargetedPoolOptions {
  const target = postgresTarget(url);
  return {
    connectionString: target.urls[0]!,
    target,
    max: settings.poolSize,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    statement_timeout: settings.statementTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    // A commit is on the disk before it is acknowledged, whatever the server's own default. No query runs so long that
    // compiling it would pay: that takes some hundred milliseconds. And no INSERT is to sort all that an index has gathered:
    // see batched-words.ts.
    // What stands last holds.
    options: `${target.options} -c synchronous_commit=on -c jit=off -c gin_pending_list_limit=64MB`.trim(),
    application_name: 'posts-service',
    keepAlive: true,
    types: numericTypes,
  };
}
