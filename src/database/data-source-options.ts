import sqlite3 from 'sqlite3';
import type { DataSourceOptions } from 'typeorm';
import type { Settings } from '../settings/settings.js';
import { CreatePosts1763650000000 } from './migrations/1763650000000-create-posts.js';
import { CreateIdempotencyKeys1763660000000 } from './migrations/1763660000000-create-idempotency-keys.js';

/** How long a statement waits for a lock that another process holds on the file. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * TypeORM asks for `sqlite3.verbose()`, which notes a stack trace for every call and makes each of them 2 to 5 times
 * slower; so it is given a driver whose `verbose()` changes nothing.
 */
const quietSqlite3: unknown = Object.assign(Object.create(sqlite3), { verbose: () => sqlite3 });

/** The options of the data source that migrates and writes: those of the app, of TypeORM's CLI and of the tests. */
export function writerOptions(database: Settings['database']): DataSourceOptions {
  if (database.kind !== 'sqlite') throw new Error('DATABASE_URL: this version knows SQLite files only.');
  return {
    type: 'sqlite',
    database: database.path,
    driver: quietSqlite3,
    enableWAL: true,
    busyTimeout: BUSY_TIMEOUT_MS,
    migrations: [CreatePosts1763650000000, CreateIdempotencyKeys1763660000000],
    migrationsTableName: 'migrations',
    synchronize: false,
  };
}

/** The options of the data source that reads: it sees only what was committed, and can change nothing. */
export function readerOptions(database: Settings['database']): DataSourceOptions {
  return { ...writerOptions(database), migrations: [], entities: [] } as DataSourceOptions;
}
