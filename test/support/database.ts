import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import sqlite3 from 'sqlite3';
import { queryOnce } from './postgres-server.js';

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

/** The databases that the suite runs on, each a project of jest.config.js. */
const MAKERS = { sqlite: freshSqliteFile, postgres: () => freshPostgresDatabase(sharedServerUrl()) };

declare global {
  /** The database of the project that runs. */
  var TEST_DATABASE: keyof typeof MAKERS;
}

/** Makes an empty database of the kind that the project names: the one place that chooses. */
export async function freshDatabase(kind = globalThis.TEST_DATABASE): Promise<FreshDatabase> {
  return MAKERS[kind]();
}

/** Where the PostgreSQL server is that all test files share. */
export function sharedServerUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is not set: support/global-setup.js has not run.');
  return url;
}

/** A database on PostgreSQL, of which rows can be read behind the service's back, too. */
export interface FreshPostgresDatabase extends FreshDatabase {
  query(sql: string): Promise<unknown[]>;
}

/** @param server the URL of any database of the server */
export async function freshPostgresDatabase(server: string): Promise<FreshPostgresDatabase> {
  const name = `posts_${randomUUID().replaceAll('-', '_')}`;
  // A collation that is not by code point, so that an order by code point is the service's own doing.
  const collation = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";
  await queryOnce(server, `CREATE DATABASE ${name} TEMPLATE template0 ${collation}`);
  const url = new URL(server);
  url.pathname = name;
  return {
    url: url.href,
    query: (sql) => queryOnce(url.href, sql),
    async execute(sql) {
      await queryOnce(url.href, sql);
    },
    async lock() {
      const client = new Client(url.href);
      // The server may end the connection first.
      client.on('error', () => undefined);
      await client.connect();
      await client.query('BEGIN; LOCK TABLE posts IN EXCLUSIVE MODE');
      return () => client.end();
    },
    async remove() {
      await queryOnce(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
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
