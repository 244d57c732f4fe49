import { jest } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { aPost } from '../support/posts.js';
import { headOf } from '../support/raw-exchange.js';
import { type SeenSnapshots, watchSnapshots } from '../support/snapshots.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

// X-Forwarded-For identifies the client, because the service trusts one proxy.
const service = await startService({ TRUST_PROXY: '1' });

const POSTS = 1_100;
const lines = Array.from({ length: POSTS }, (_, index) => JSON.stringify(aPost({ title: `heron ${index}` })));
await service.import(`${lines.join('\n')}\n`);

const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.untilInFlight(0);
  jest.restoreAllMocks();
});

const REQUESTS = 12;
const SLOW_CLIENT = 'X-Forwarded-For: 192.0.2.1';
/** How many snapshots one client may hold. */
const share = Math.ceil(service.app.get(Database).maxSnapshots / 4);

/**
 * Sends slow requests from one client, each different and on its own connection. Resolves once they hold the client's
 * share of the snapshots, and a query runs.
 */
async function askSlowly(seen: SeenSnapshots, path: string): Promise<void> {
  for (let index = 0; index < REQUESTS; index += 1) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket.resume());
    const line = `GET ${path}&pub_date_after=2000-01-${index + 10}`;
    socket.write(headOf(line, 'Prefer: count=exact', SLOW_CLIENT));
  }
  await service.untilInFlight(REQUESTS);
  await until(() => seen.open === share && seen.running > 0);
}

describe('slow reads of one client', () => {
  const OTHER = { 'X-Forwarded-For': '192.0.2.2' };

  it.each([
    ['counts', '/posts/?limit=1'],
    ['pages in an order without an index', '/posts/?limit=1&ordering=title'],
    ['counts of a search', '/posts/?limit=1&search=heron'],
  ])('leave capacity for requests of other clients: %s', async (_, path) => {
    const seen = watchSnapshots(service, () => 'slow');
    await askSlowly(seen, path);
    seen.fateOf = () => 'answered';
    expect((await service.get('/posts/?limit=1', OTHER)).status).toBe(200);
    expect((await service.get('/posts/1/', OTHER)).status).toBe(200);
    expect((await service.post(aPost(), OTHER)).status).toBe(201);
    const slow = await service.get(`${path}&pub_date_after=2000-01-01`, { ...OTHER, Prefer: 'count=exact' });
    expect(Number(slow.headers['x-total-count'])).toBeGreaterThanOrEqual(POSTS);
    const same = await service.get(`${path}&pub_date_after=2000-01-10`, { ...OTHER, Prefer: 'count=exact' });
    expect(same.status).toBe(200);
    expect([seen.running, seen.open]).toEqual([1, share]);
  });

  it('end when it disconnects', async () => {
    const seen = watchSnapshots(service, () => 'slow');
    await askSlowly(seen, '/posts/?limit=1');
    const errors = service.log.filter(({ level }) => level === 'error').length;
    for (const socket of sockets) socket.destroy();
    await until(() => seen.open === 0);
    await service.untilInFlight(0);
    expect(seen.running).toBe(0);
    expect(service.log.filter(({ level }) => level === 'error')).toHaveLength(errors);
  });
});

describe('reads of large posts by one client', () => {
  it('run a few at a time, in turns with those of others', async () => {
    const { id, path } = await service.create({ body: 'x'.repeat(100_000) });
    const { reader } = service.app.get(Database);
    const all = reader.all.bind(reader);
    let running = 0;
    let most = 0;
    jest.spyOn(reader, 'all').mockImplementation(async (query, values) => {
      if (values?.['id'] !== id) return all(query, values);
      running += 1;
      most = Math.max(most, running);
      await sleep(50);
      running -= 1;
      return all(query, values);
    });
    const ended: string[] = [];
    const read = async (client: string, index: number): Promise<void> => {
      // The cache shares the responses to equal requests.
      const headers = { 'X-Forwarded-For': client, Prefer: `number=${index}` };
      expect((await service.get(path, headers)).status).toBe(200);
      ended.push(client);
    };
    const reads = Array.from({ length: 20 }, (_, index) => read('192.0.2.1', index));
    await until(() => running > 0);
    await Promise.all([...reads, read('192.0.2.2', 20)]);
    expect(most).toBeLessThanOrEqual(4);
    expect(ended.indexOf('192.0.2.2')).toBeLessThan(16);
  });
});
