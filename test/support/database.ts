import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { queryOnce } from './postgres-server.js';
import { executeOn, holdOn, queryOn } from './sqlite-file.js';

/** A database with the current schema and no rows, for one service or one test. */
export interface FreshDatabase {
  /** For DATABASE_URL. */
  readonly url: string;
  /** Runs statements on a separate connection, without the service. */
  execute(sql: string): Promise<unknown>;
  /** The rows of one statement, on a separate connection, too. */
  query<Row>(sql: string): Promise<Row[]>;
  /** Blocks all writers until the returned function is called. */
  lock(): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

/** A busy machine may delay a connection or a statement for longer than the default settings allow. */
export const DATABASE_LIMITS = { DATABASE_CONNECT_TIMEOUT: '60', DATABASE_STATEMENT_TIMEOUT: '60' };

/** The databases that the suite runs on. Each is a project of jest.config.js. */
const MAKERS = { sqlite: freshSqliteFile, postgres: () => freshPostgresDatabase() };

declare global {
  /** The database of the current jest project. */
  var TEST_DATABASE: keyof typeof MAKERS;
}

/** Creates a database of the current project's kind. No other code chooses the kind. */
export async function freshDatabase(kind = globalThis.TEST_DATABASE): Promise<FreshDatabase> {
  return MAKERS[kind]();
}

function madeByGlobalSetup(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: its globalSetup has not run.`);
  return value;
}

/**
 * @param server the URL of any database of the server
 * @param options of the new database; by default it has the current schema on the shared server, and none on another
 */
export async function freshPostgresDatabase(
  server = madeByGlobalSetup('TEST_DATABASE_URL'),
  options = `TEMPLATE ${server === process.env['TEST_DATABASE_URL'] ? madeByGlobalSetup('TEST_POSTGRES_TEMPLATE') : 'template0'}`,
): Promise<FreshDatabase> {
  const name = `posts_${randomUUID().replaceAll('-', '_')}`;
  await queryOnce(server, `CREATE DATABASE ${name} ${options}`);
  const url = new URL(server);
  url.pathname = name;
  return {
    url: url.href,
    query: (sql) => queryOnce(url.href, sql),
    execute: (sql) => queryOnce(url.href, sql),
    async lock() {
      const client = new Client(url.href);
      // The server may close the connection first.
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
  await copyFile(madeByGlobalSetup('TEST_SQLITE_TEMPLATE'), path);
  return {
    url: `sqlite:${path}`,
    execute: (sql) => executeOn(path, sql),
    query: (sql) => queryOn(path, sql),
    lock: () => holdOn(path, 'BEGIN IMMEDIATE'),
    // A service that failed to start may still be opening the file and create new files beside it.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20 }),
  };
}
