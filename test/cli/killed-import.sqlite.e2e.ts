import { readdir } from 'node:fs/promises';
import { type ClientRequest, request as openRequest } from 'node:http';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { responseTo } from '../support/http-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { executeOn } from '../support/sqlite-file.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let databasePath: string;
beforeEach(() => {
  folder = temporaryFolder();
  databasePath = join(folder, 'posts.sqlite');
});

const POSTS = 30_000;

/** The rows of a query on a separate connection. */
function ask<Row>(sql: string): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const handle: sqlite3.Database = new sqlite3.Database(databasePath, sqlite3.OPEN_READONLY);
    handle.all<Row>(sql, (error, rows) => {
      handle.close(() => (error ? reject(error) : resolve(rows)));
    });
  });
}

async function storedPosts(): Promise<number> {
  const [row] = await ask<{ posts: number }>('SELECT count(*) AS posts FROM posts');
  return row!.posts;
}

async function countOf(service: ServiceProcess, query: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${service.port}/posts/?limit=1&${query}`, {
    headers: { Prefer: 'count=exact' },
  });
  return Number(response.headers.get('x-total-count'));
}

/** Slows down each 500th post of an import, so that it is still running when the service is stopped. */
const SLOW_DOWN = [
  `CREATE VIEW many AS WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000) SELECT n FROM numbers`,
  `CREATE TRIGGER slow AFTER INSERT ON posts WHEN NEW.title LIKE 'lost %500' OR NEW.title LIKE 'lost %000'
    BEGIN SELECT count(*) FROM many; END`,
];

/** Sends an import and returns when some, but not all, of its posts are in the file. */
async function startImport({ port }: ServiceProcess): Promise<ClientRequest> {
  for (const statement of SLOW_DOWN) await executeOn(databasePath, statement);
  const lines = Array.from({ length: POSTS }, (_, index) => `{"title":"lost ${index}","body":"lost words"}`);
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const upload = openRequest({ port, path: '/posts/', method: 'POST', headers });
  upload.on('error', () => undefined).end(lines.join('\n'));
  await until(async () => (await storedPosts()) > 1_000);
  return upload;
}

async function startAgain(): Promise<ServiceProcess> {
  await executeOn(databasePath, 'DROP TRIGGER slow');
  await executeOn(databasePath, 'DROP VIEW many');
  return ServiceProcess.start({ databasePath });
}

async function assertRemoved(service: ServiceProcess, remaining: number): Promise<void> {
  expect(await countOf(service, '')).toBe(remaining);
  expect(await countOf(service, 'search=lost')).toBe(0);
  // The removal runs in the background.
  await until(async () => (await storedPosts()) === remaining);
  await until(async () => (await ask('SELECT 1 FROM posts_state WHERE hidden_to > 0')).length === 0);
  expect(await ask(`SELECT rowid FROM posts_search WHERE posts_search MATCH '"lost"' LIMIT 1`)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith('.import'))).toEqual([]);
  expect(await countOf(service, '')).toBe(remaining);
}

describe('an import whose service is stopped', () => {
  it('is rejected completely when the shutdown timeout expires', async () => {
    const first = await ServiceProcess.start({ databasePath, environment: { SHUTDOWN_TIMEOUT: '2' } });
    const upload = await startImport(first);
    const response = responseTo(upload);
    first.kill('SIGTERM');
    const { status, headers } = await response;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(await first.exited()).toBe(0);

    const second = await startAgain();
    await assertRemoved(second, 0);
    expect(await second.stop()).toBe(0);
  });
});

describe('an import whose service is killed', () => {
  it('is never visible, and is removed after the next start', async () => {
    const first = await ServiceProcess.start({ databasePath });
    const stored = await fetch(`http://127.0.0.1:${first.port}/posts/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'before', body: '' }),
    });
    expect(stored.status).toBe(201);
    await startImport(first);
    expect(await countOf(first, '')).toBe(1);
    expect(await countOf(first, 'search=lost')).toBe(0);
    await first.stop('SIGKILL');
    expect(await storedPosts()).toBeGreaterThan(1_000);
    expect(await storedPosts()).toBeLessThan(POSTS);

    const second = await startAgain();
    await assertRemoved(second, 1);
    expect(await second.stop()).toBe(0);
  });
});
