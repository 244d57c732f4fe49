import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sqlite3 from 'sqlite3';
import { ServiceProcess } from './support/service-process.js';

const folder = await mkdtemp(join(tmpdir(), 'posts-import-'));
const databasePath = join(folder, 'posts.sqlite');
afterAll(() => rm(folder, { recursive: true, force: true }));

const POSTS = 30_000;

/** The rows of a query, asked beside the service. */
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
  const answer = await fetch(`http://127.0.0.1:${service.port}/posts/?limit=1&${query}`, {
    headers: { Prefer: 'count=exact' },
  });
  return Number(answer.headers.get('x-total-count'));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    if (await holds()) return;
    await sleep(20);
  }
  throw new Error('It did not come true in time.');
}

describe('an import whose service is killed', () => {
  it('leaves nothing, and nothing of it was ever seen', async () => {
    const first = await ServiceProcess.start({ databasePath });
    const stored = await fetch(`http://127.0.0.1:${first.port}/posts/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'before', body: '' }),
    });
    expect(stored.status).toBe(201);
    const lines = Array.from(
      { length: POSTS },
      (_, index) => `{"title":"lost ${index}","body":"lost words"}`,
    );
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const upload = openRequest({ port: first.port, path: '/posts/', method: 'POST', headers });
    upload.on('error', () => undefined).end(lines.join('\n'));
    // Some of it is in the file, and not all.
    await until(async () => (await storedPosts()) > 1_000);
    expect(await countOf(first, '')).toBe(1);
    expect(await countOf(first, 'search=lost')).toBe(0);
    first.kill('SIGKILL');
    await first.exited();
    expect(await storedPosts()).toBeGreaterThan(1_000);
    expect(await storedPosts()).toBeLessThan(POSTS);

    const second = await ServiceProcess.start({ databasePath });
    expect(await countOf(second, '')).toBe(1);
    expect(await countOf(second, 'search=lost')).toBe(0);
    // It goes in the background.
    await until(async () => (await storedPosts()) === 1);
    await until(async () => (await ask('SELECT 1 FROM posts_state WHERE hidden_to > 0')).length === 0);
    expect(await ask(`SELECT rowid FROM posts_search WHERE posts_search MATCH '"lost"' LIMIT 1`)).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.startsWith('.import'))).toEqual([]);
    expect(await countOf(second, '')).toBe(1);
    second.kill('SIGTERM');
    expect(await second.exited()).toBe(0);
  }, 60_000);
});
