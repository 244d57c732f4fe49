import sqlite3 from 'sqlite3';
import type { DataSourceOptions } from 'typeorm';
import type { Settings } from '../settings/settings.js';
import { CreateAccounts1763670000000 } from './migrations/1763670000000-create-accounts.js';
import { CreatePosts1763650000000 } from './migrations/1763650000000-create-posts.js';
import { poolOptions } from './postgres/pool-options.js';
import { CreateIdempotencyKeys1763660000000 } from './migrations/1763660000000-create-idempotency-keys.js';
import { CreatePostRevisions1763700000000 } from './migrations/1763700000000-create-post-revisions.js';
import { CreatePostsSearch1763652000000 } from './migrations/1763652000000-create-posts-search.js';
import { CreatePostsState1763651000000 } from './migrations/1763651000000-create-posts-state.js';
import { AddApiTokenExpiry1763710000000 } from './migrations/1763710000000-add-api-token-expiry.js';
import { KeyPostsState1763720000000 } from './migrations/1763720000000-key-posts-state.js';

/** How long a statement waits for a lock that another process holds on the file. */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * TypeORM asks for `sqlite3.verbose()`, which notes a stack trace for every call and makes each of them 2 to 5 times
 * slower; so it is given a driver whose `verbose()` changes nothing.
 */
const quietSqlite3: unknown = Object.assign(Object.create(sqlite3), { verbose: () => sqlite3 });

/** In the order in which they are run. */
export const MIGRATIONS = [
  CreatePosts1763650000000,
  CreatePostsState1763651000000,
  CreatePostsSearch1763652000000,
  CreateIdempotencyKeys1763660000000,
  CreateAccounts1763670000000,
  CreatePostRevisions1763700000000,
  AddApiTokenExpiry1763710000000,
  KeyPostsState1763720000000,
];

const SCHEMA = {
  migrations: MIGRATIONS,
  migrationsTableName: 'migrations',
  synchronize: false,
} as const satisfies Partial<DataSourceOptions>;

/** The options of the data source that migrates and writes: those of the app, of TypeORM's CLI and of the tests. */
export function writerOptions(database: Settings['database']): DataSourceOptions {
  if (database.kind === 'postgres') {
    // The URL is in both: TypeORM reads names from it, and pg all the rest.
    return { ...SCHEMA, type: 'postgres', url: database.url, extra: poolOptions(database.url, database) };
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
