import { jest } from '@jest/globals';
import { InFlightRequests } from '../../src/http/server/in-flight-requests.js';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../../src/metrics/metrics.js';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { AdminClient, PASSWORD } from '../support/admin.js';
import { aPost } from '../support/posts.js';
import { headOf } from '../support/raw-exchange.js';
import { type SeenSnapshots, watchSnapshots } from '../support/snapshots.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

// X-Forwarded-For identifies the client, because the service trusts one proxy.
const service = await startService({ TRUST_PROXY: '1', ADMIN_PASSWORD: PASSWORD });

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
const OTHER_CLIENT = { 'X-Forwarded-For': '192.0.2.2' };
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
  it.each([
    ['counts', '/posts/?limit=1'],
    ['pages in an order without an index', '/posts/?limit=1&ordering=title'],
    ['counts of a search', '/posts/?limit=1&search=heron'],
  ])('leave capacity for requests of other clients: %s', async (_, path) => {
    const seen = watchSnapshots(service, () => 'slow');
    await askSlowly(seen, path);
    seen.fateOf = () => 'answered';
    expect((await service.get('/posts/?limit=1', OTHER_CLIENT)).status).toBe(200);
    expect((await service.get('/posts/1/', OTHER_CLIENT)).status).toBe(200);
    expect((await service.post(aPost(), OTHER_CLIENT)).status).toBe(201);
    const slow = await service.get(`${path}&pub_date_after=2000-01-01`, {
      ...OTHER_CLIENT,
      Prefer: 'count=exact',
    });
    expect(Number(slow.headers['x-total-count'])).toBeGreaterThanOrEqual(POSTS);
    const same = await service.get(`${path}&pub_date_after=2000-01-10`, {
      ...OTHER_CLIENT,
      Prefer: 'count=exact',
    });
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
    let goOn!: () => void;
    const areAllHere = new Promise<void>((resolve) => (goOn = resolve));
    jest.spyOn(reader, 'all').mockImplementation(async (query, values) => {
      if (values?.['id'] !== id) return all(query, values);
      running += 1;
      most = Math.max(most, running);
      await areAllHere;
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
    const other = read('192.0.2.2', 20);
    await service.untilInFlight(21);
    goOn();
    await Promise.all([...reads, other]);
    expect(most).toBeLessThanOrEqual(4);
    expect(ended.indexOf('192.0.2.2')).toBeLessThan(16);
  });
});

describe('lists that wait for the database', () => {
  it('are not read when their clients have gone, and leave the line at once', async () => {
    const { reader } = service.app.get(Database);
    const all = reader.all.bind(reader);
    let goOn!: () => void;
    const isBusy = new Promise<void>((resolve) => (goOn = resolve));
    const read: string[] = [];
    jest.spyOn(reader, 'all').mockImplementation(async (query, values) => {
      // The pages are found by the day of their filter.
      const bound = JSON.stringify(values ?? {});
      if (/20\d\d-01-01/.test(bound)) {
        read.push(bound);
        await isBusy;
      }
      return all(query, values);
    });
    const PAGES = 40;
    for (let index = 0; index < PAGES; index += 1) {
      const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket.resume());
      // A page of 1,000 is read alone.
      const day = `${2001 + index}-01-01`;
      socket.write(headOf(`GET /posts/?limit=1000&pub_date_after=${day}`, SLOW_CLIENT));
    }
    await service.untilInFlight(PAGES);
    await until(() => read.length > 0);
    for (const socket of sockets) socket.resetAndDestroy();
    await until(() => sockets.every(({ closed }) => closed));
    // Those that are being read wait for the database.
    await until(() => service.app.get(InFlightRequests).count <= read.length);
    goOn();
    await service.untilInFlight(0);
    expect(read.length).toBeLessThanOrEqual(4);
    expect((await service.get('/posts/?limit=1', OTHER_CLIENT)).status).toBe(200);
  });
});

describe('queries of one client', () => {
  it('have a quarter of the connections at most, and those of others do not wait for them', async () => {
    const database = service.app.get(Database);
    const slow =
      database.dialect.name === 'sqlite'
        ? sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT count(*) FROM n`
        : sql`SELECT pg_sleep(0.05)`;
    const ended: string[] = [];
    const read = async (client: string): Promise<void> => {
      const { signal } = new AbortController();
      await database.readerOf({ name: client, signal }).all(slow);
      ended.push(client);
    };
    // Opens the connections of a pool, which may take longer than the query.
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(read));
    ended.length = 0;
    const reads = Array.from({ length: 12 }, () => read('many'));
    await Promise.all([...reads, read('one')]);
    // Those of the quarter ran before it or beside it.
    expect(ended.indexOf('one')).toBeLessThanOrEqual(6);
    const gone = new AbortController();
    const held = Array.from({ length: 4 }, () => read('many'));
    const left = database.readerOf({ name: 'many', signal: gone.signal }).all(slow);
    gone.abort(new Error('The client has gone.'));
    await expect(left).rejects.toThrow('The client has gone.');
    await Promise.all(held);
  });
});

describe('single writes of one client', () => {
  it('have a quarter of the connections at most, and those of others and reads do not wait for them', async () => {
    const database = service.app.get(Database);
    let goOn!: () => void;
    const isOver = new Promise<void>((resolve) => (goOn = resolve));
    let running = 0;
    let most = 0;
    const begun: string[] = [];
    const ended: string[] = [];
    const write = async (client: string): Promise<void> => {
      await database.write(
        async () => {
          begun.push(client);
          if (client === 'many') most = Math.max(most, (running += 1));
          await isOver;
          if (client === 'many') running -= 1;
        },
        { name: client },
      );
      ended.push(client);
    };
    const writes = Array.from({ length: 40 }, () => write('many'));
    await until(() => running > 0);
    writes.push(write('one'));
    for (let day = 10; day < 30; day++) {
      const list = await service.get(`/posts/?limit=1&pub_date_after=2001-01-${day}`, OTHER_CLIENT);
      expect(list.status).toBe(200);
    }
    // SQLite runs one at a time.
    if (database.dialect.name === 'postgres') await until(() => begun.includes('one'));
    goOn();
    await Promise.all(writes);
    expect(most).toBeLessThanOrEqual(3);
    expect(begun.indexOf('one')).toBeLessThanOrEqual(3);
    expect(ended.indexOf('one')).toBeLessThan(20);
  });
});

describe('long writes', () => {
  it('of whatever clients leave most connections to others', async () => {
    const database = service.app.get(Database);
    let goOn!: () => void;
    const isOver = new Promise<void>((resolve) => (goOn = resolve));
    let running = 0;
    let most = 0;
    const writes = Array.from({ length: 20 }, (_, index) =>
      database.writeAtLength(
        async () => {
          most = Math.max(most, (running += 1));
          await isOver;
          running -= 1;
        },
        { name: `client ${index}` },
      ),
    );
    await until(() => running > 0);
    for (let day = 10; day < 30; day++) {
      const list = await service.get(`/posts/?limit=1&pub_date_after=2002-01-${day}`, OTHER_CLIENT);
      expect(list.status).toBe(200);
    }
    const gone = new AbortController();
    const left = database
      .writeAtLength(async () => undefined, { name: 'gone', signal: gone.signal })
      .catch(String);
    gone.abort(new Error('The client has gone.'));
    goOn();
    await Promise.all(writes);
    // SQLite has one line for all writes, which ends its wait.
    const outcome = database.dialect.name === 'postgres' ? 'Error: The client has gone.' : undefined;
    expect(await left).toBe(outcome);
    expect(most).toBeLessThanOrEqual(2);
  });
});

describe('what a request needs of the database beside its handler', () => {
  /** The clients for whom queries and writes run from now on. */
  function watchClients(): string[] {
    const database = service.app.get(Database);
    const names: string[] = [];
    const readerOf = database.readerOf.bind(database);
    const write = database.write.bind(database);
    jest.spyOn(database, 'readerOf').mockImplementation((client) => {
      if (client) names.push(client.name);
      return readerOf(client);
    });
    jest.spyOn(database, 'write').mockImplementation((work, client) => {
      if (client) names.push(client.name);
      return write(work, client);
    });
    return names;
  }

  it('is read for its client: tokens, and keys of requests', async () => {
    const admin = await AdminClient.logIn(service);
    const names = watchClients();
    const headers = { ...OTHER_CLIENT, ...admin.headers };
    expect((await service.get('/posts/1/', headers)).status).toBe(200);
    expect(names.splice(0)).toEqual(['192.0.2.2']);
    const key = { ...OTHER_CLIENT, 'Idempotency-Key': 'a key of a request' };
    expect((await service.post(aPost(), key)).status).toBe(201);
    expect(names).toContain('192.0.2.2');
  });

  it('is read and written for its client: changes of many posts', async () => {
    const admin = await AdminClient.logIn(service);
    const names = watchClients();
    const ids = [1, 2, 3];
    for (const path of ['bulk-deletions', 'restorations', 'bulk-deletions', 'purges']) {
      names.length = 0;
      const { status } = await admin.send('POST', `/admin/api/${path}/`, { ids });
      expect(status).toBe(200);
      expect(names.filter((name) => name.startsWith('user account:')).length).toBeGreaterThan(0);
    }
  });
});

describe('what a client repeats at will', () => {
  let admin!: AdminClient;
  beforeAll(async () => {
    admin = await AdminClient.logIn(service);
    expect((await admin.send('PUT', '/posts/20/', aPost({ title: 'changed' }))).status).toBe(200);
    await admin.addAccount();
    const token = { name: 'a program', current_password: PASSWORD };
    expect((await admin.send('POST', 'tokens/', token)).status).toBe(201);
  });

  it.each<[method: string, path: string, body?: object]>([
    ['GET', '/deleted-posts/?limit=7'],
    ['GET', '/deleted-posts/?deleted_after=2026-11-01'],
    ['GET', '/admin/api/accounts/'],
    ['GET', '/admin/api/tokens/'],
    ['GET', '/admin/api/posts/20/'],
    ['GET', '/admin/api/posts/20/revisions/'],
    ['GET', '/admin/api/posts/20/revisions/2/'],
    ['POST', '/admin/api/posts/20/revisions/1/restorations/', { newest: 2 }],
    ['GET', '/admin/api/changes/?post_id=20'],
    ['GET', '/admin/api/changes/1/posts/'],
    ['GET', '/admin/api/deleted-posts/'],
    ['PUT', '/admin/api/accounts/2/', { role: 'editor' }],
    ['POST', '/admin/api/tokens/', { name: 'another', current_password: PASSWORD }],
    ['DELETE', '/admin/api/tokens/1/'],
    ['POST', '/admin/api/exports/', { format: 'csv', ids: [20] }],
    ['POST', '/admin/api/bulk-deletions/', { ids: [30, 31] }],
  ])('is read and written for it: %s %s', async (method, path, ...[body]) => {
    const database = service.app.get(Database);
    const forNoClient: string[] = [];
    const all = database.reader.all.bind(database.reader);
    const write = database.write.bind(database);
    jest.spyOn(database.reader, 'all').mockImplementation((query, values) => {
      // Those of TypeORM. All others read for many clients at once.
      if (query.values) forNoClient.push(query.text);
      return all(query, values);
    });
    jest.spyOn(database, 'write').mockImplementation((work, client) => {
      if (!client) forNoClient.push(String(work));
      return write(work, client);
    });
    const { status } = await admin.send(method, path, body);
    expect(status).toBeLessThan(300);
    expect(forNoClient).toEqual([]);
  });
});

describe('the text of the metrics', () => {
  it('is built once for all that ask at the same time, after they have asked', async () => {
    const metrics = service.app.get(Metrics);
    const sizes = jest.spyOn(service.app.get(Database), 'sizes');
    const first = metrics.text();
    await until(() => sizes.mock.calls.length === 1);
    const others = await Promise.all(Array.from({ length: 20 }, () => metrics.text()));
    expect(sizes).toHaveBeenCalledTimes(2);
    expect(new Set([await first, ...others]).size).toBe(2);
    sizes.mockRestore();
  });
});
