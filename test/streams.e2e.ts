import { jest } from '@jest/globals';
import { request as openRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../src/database/database.js';
import { startService } from './support/service.js';

const service = await startService();
afterAll(() => service.stop());

const POSTS = 400;
const BODY = 'x'.repeat(15_000);
for (let start = 0; start < POSTS; start += 50) {
  await Promise.all(Array.from({ length: 50 }, () => service.create({ body: BODY })));
}

/** Opens a stream and gives its answer, of which nothing is read yet. */
function openStream(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'application/x-ndjson' };
    openRequest({ port: service.port, path: '/posts/', headers }, resolve).on('error', reject).end();
  });
}

async function readAll(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Counts the queries that snapshots are asked, and the snapshots that are open. */
function watchSnapshots(): { queries: number; open: number; failAt: number } {
  const database = service.app.get(Database);
  const seen = { queries: 0, open: 0, failAt: Infinity };
  const original = database.snapshot.bind(database);
  jest.spyOn(database, 'snapshot').mockImplementation(async () => {
    const snapshot = await original();
    seen.open++;
    const all = snapshot.all.bind(snapshot);
    const close = snapshot.close.bind(snapshot);
    snapshot.all = (query, values) => {
      seen.queries++;
      if (seen.queries >= seen.failAt) return Promise.reject(new Error('The disk is on fire.'));
      return all(query, values);
    };
    snapshot.close = () => {
      seen.open--;
      return close();
    };
    return snapshot;
  });
  return seen;
}

afterEach(() => jest.restoreAllMocks());

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 5_000; waited += 10) await sleep(10);
  expect(holds()).toBe(true);
}

describe('a stream of posts', () => {
  it('shows one moment, whatever is written while it runs', async () => {
    const stream = await openStream();
    await sleep(50);
    const { path } = await service.create({ title: 'too late' });
    const lines = (await readAll(stream)).split('\n').slice(0, -1);
    expect(lines).toHaveLength(POSTS);
    await service.delete(path);
  });

  it('reads on only as its client does', async () => {
    const seen = watchSnapshots();
    const stream = await openStream();
    await sleep(300);
    const before = seen.queries;
    await sleep(100);
    expect(seen.queries).toBe(before);
    stream.resume();
    await until(() => seen.open === 0);
  });

  it('ends when its client leaves', async () => {
    const seen = watchSnapshots();
    const stream = await openStream();
    stream.destroy();
    await until(() => seen.open === 0);
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('breaks the connection on a fault in its middle', async () => {
    const seen = watchSnapshots();
    seen.failAt = 3;
    const stream = await openStream();
    expect(stream.statusCode).toBe(200);
    await expect(readAll(stream)).rejects.toThrow('aborted');
    await until(() => seen.open === 0 && service.log.some(({ level }) => level === 'error'));
  });

  it('answers a fault before its first byte as any other', async () => {
    const seen = watchSnapshots();
    seen.failAt = 2;
    const answer = await service.get('/posts/', { Accept: 'text/csv' });
    expect(answer.status).toBe(500);
    expect(seen.open).toBe(0);
  });

  it('is refused with 503 when too many run, and then is let in again', async () => {
    const streams = await Promise.all(Array.from({ length: 16 }, openStream));
    let answer;
    try {
      answer = await service.get('/posts/', { Accept: 'text/csv' });
    } finally {
      for (const stream of streams) stream.destroy();
    }
    expect(answer.status).toBe(503);
    let status = 503;
    for (let tries = 0; status === 503 && tries < 50; tries++) {
      await sleep(20);
      ({ status } = await service.get('/posts/?fields=id', { Accept: 'application/x-ndjson' }));
    }
    expect(status).toBe(200);
  });
});
