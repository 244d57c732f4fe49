import sqlite3 from 'sqlite3';
import type { DataSourceOptions } from 'typeorm';
import type { Settings } from '../settings/settings.js';
import { MIGRATIONS } from './migrations.js';
import { poolOptions } from './pool-options.js';

/** How long a statement on SQLite waits for a lock that another connection holds. */
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
