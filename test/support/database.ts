import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';

/** An empty database for one service, or one test. */
export interface FreshDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  /** Runs statements behind the service's back, on a connection of its own. */
  execute(sql: string): Promise<void>;
  /** Keeps every writer out until the function it returns is called. */
  lock(): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** The databases that the suite can run on, by the value of TEST_DATABASE. */
const MAKERS: Readonly<Record<string, () => Promise<FreshDatabase>>> = { sqlite: freshSqliteFile };

/** The kind of database this run is on. */
export const TEST_DATABASE = process.env['TEST_DATABASE'] ?? 'sqlite';

/** Makes an empty database of the kind that TEST_DATABASE names: the one place that chooses. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const make = MAKERS[TEST_DATABASE];
  if (!make) throw new Error(`TEST_DATABASE must be one of ${Object.keys(MAKERS).join(', ')}`);
  return make();
}

async function freshSqliteFile(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'posts-service-'));
  const path = join(folder, 'posts.sqlite');
  return {
    url: `sqlite:${path}`,
    async execute(sql) {
      const handle = await openHandle(path);
      try {
        await run(handle, sql);
      } finally {
        await close(handle);
      }
    },
    async lock() {
      const handle = await openHandle(path);
      await run(handle, 'BEGIN IMMEDIATE');
      return async () => {
        await run(handle, 'ROLLBACK');
        await close(handle);
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function openHandle(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const handle: sqlite3.Database = new sqlite3.Database(path, (error) => {
      if (error) reject(error);
      else resolve(handle);
    });
  });
}

function run(handle: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    handle.exec(sql, (error) => (error ? reject(error) : resolve()));
  });
}

function close(handle: sqlite3.Database): Promise<void> {
  return new Promise((resolve, reject) => {
    handle.close((error) => (error ? reject(error) : resolve()));
  });
}
