import { jest } from '@jest/globals';
import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { PostgresConnection } from '../../src/database/postgres/postgres-connection.js';
import { freshPostgresDatabase } from '../support/database.js';
import type { HttpResponse } from '../support/http-client.js';
import { PostgresServer } from '../support/postgres-server.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';

/** Short limits keep the tests short. */
const LIMITS = { DATABASE_POOL_SIZE: '4', DATABASE_CONNECT_TIMEOUT: '1', DATABASE_STATEMENT_TIMEOUT: '1' };
/** Far more than the limits on a connection and a statement. Without them, a request would wait forever. */
const BOUND_MS = 30_000;

const server = await PostgresServer.start(['max_connections = 20', "deadlock_timeout = '300ms'"]);
const database = await freshPostgresDatabase(server.url());
const service = await startService({ ...LIMITS, DATABASE_URL: database.url });
afterAll(async () => {
  await service.stop();
  await server.remove();
});

function expectUnavailable(response: HttpResponse, detail: string): void {
  expect(response.status).toBe(503);
  expect(response.headers['retry-after']).toBe('1');
  expect(response.json()).toMatchObject({ type: 'about:blank', status: 503, detail });
}

/** The result. Fails when it took longer than a database fault may delay a request. */
async function within<Result>(bound: number, pending: Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await pending;
  expect(performance.now() - startedAt).toBeLessThan(bound);
  return result;
}

async function expectReady(status: number): Promise<void> {
  expect((await within(BOUND_MS, service.get('/health/ready'))).status).toBe(status);
  expect((await service.get('/health/live')).status).toBe(200);
}

/** Repeats a request until the service has recovered by itself. */
async function untilCreated(): Promise<void> {
  await until(async () => (await service.post(aPost())).status === 201);
}

/** Takes all connections of the server. Tries again when a background task of the service takes one first. */
async function takeAllConnections(): Promise<Client[]> {
  for (;;) {
    await server.stop();
    await server.startAgain();
    const clients = Array.from({ length: 20 }, () => new Client(database.url));
    for (const client of clients) client.on('error', () => undefined);
    const taken = await Promise.allSettled(clients.map((client) => client.connect()));
    if (taken.every(({ status }) => status === 'fulfilled')) return clients;
    await Promise.all(clients.map((client) => client.end()));
  }
}

describe('the service, while PostgreSQL is unreachable,', () => {
  const unreachable = 'The database cannot be reached.';

  it.each(['kill', 'stop'] as const)(
    'answers 503, fails readiness, and recovers afterwards (%s)',
    async (end) => {
      const { path } = await service.create();
      await server[end]();
      expectUnavailable(await within(BOUND_MS, service.get(path)), unreachable);
      expectUnavailable(await within(BOUND_MS, service.get('/posts/')), unreachable);
      expectUnavailable(await within(BOUND_MS, service.post(aPost())), unreachable);
      expectUnavailable(await within(BOUND_MS, service.delete(path)), unreachable);
      await expectReady(503);

      await server.startAgain();
      await untilCreated();
      expect((await service.get(path)).status).toBe(200);
      await expectReady(200);
    },
  );

  it('answers normally when PostgreSQL has restarted between two requests', async () => {
    const patient = await startService({ DATABASE_URL: database.url });
    await Promise.all(Array.from({ length: 8 }, () => patient.create()));
    await server.stop();
    await server.startAgain();
    expect((await patient.get('/posts/')).status).toBe(200);
    expect((await patient.post(aPost())).status).toBe(201);
    await patient.stop();
  });

  it('loses no acknowledged write when PostgreSQL is killed under load', async () => {
    const acknowledged: PostJson[] = [];
    const statuses = new Map<number, number>();
    const load = { stopped: false };
    const write = async (): Promise<void> => {
      while (!load.stopped) {
        const response = await service.post(aPost());
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status === 201) acknowledged.push(response.json<PostJson>());
        else await sleep(20);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    for (let round = 0; round < 3; round++) {
      const [written, refused] = [acknowledged.length, statuses.get(503) ?? 0];
      await until(() => acknowledged.length > written + 20);
      await server.kill();
      await until(() => (statuses.get(503) ?? 0) > refused);
      await server.startAgain();
    }
    await untilCreated();
    load.stopped = true;
    await Promise.all(writers);

    const stored = (await database.query('SELECT id FROM posts')) as { id: string }[];
    const ids = new Set(stored.map(({ id }) => Number(id)));
    const lost = acknowledged.filter(({ id }) => !ids.has(id));
    process.stdout.write(
      `killed 3 times under load: ${acknowledged.length} writes acknowledged, ${lost.length} lost; answers ${JSON.stringify(Object.fromEntries(statuses))}\n`,
    );
    expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([201, 503]);
    expect(lost).toEqual([]);
  });
});

describe('the service, while PostgreSQL is frozen or busy,', () => {
  it('answers 503, and recovers once PostgreSQL responds', async () => {
    const { path } = await service.create();
    server.freeze();
    try {
      const pending = [service.get(path), service.post(aPost()), service.get('/health/ready')] as const;
      const [read, write, ready] = await within(BOUND_MS, Promise.all(pending));
      expectUnavailable(read, 'The database cannot be reached.');
      expectUnavailable(write, 'The database cannot be reached.');
      expect(ready.status).toBe(503);
    } finally {
      server.thaw();
    }
    await untilCreated();
    await expectReady(200);
  });

  it('answers 503 and changes nothing when a statement waits too long for a lock', async () => {
    const { path, etag } = await service.create();
    const unlock = await database.lock();
    try {
      expectUnavailable(
        await within(BOUND_MS, service.put(path, aPost({ title: 'b' }))),
        'The database is busy; nothing was changed.',
      );
      expect((await service.get(path)).etag).toBe(etag);
    } finally {
      await unlock();
    }
    expect((await service.put(path, aPost({ title: 'b' }))).status).toBe(200);
  });

  it('changes other posts while another transaction has locked one', async () => {
    const posts = await Promise.all([1, 2, 3, 4].map(() => service.create()));
    const [locked, ...others] = posts;
    const client = new Client(database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM posts WHERE id = $1 FOR UPDATE', [locked!.id]);
    const waiting = service.put(locked!.path, aPost({ title: 'b' }));
    const changes = others.map(({ path }) => service.put(path, aPost({ title: 'b' })));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await client.query('COMMIT');
    expect((await waiting).status).toBe(200);
    await client.end();
  });

  it('answers 503 when all connections of its pool are in use', async () => {
    const unlock = await database.lock();
    try {
      const responses = await within(
        BOUND_MS,
        Promise.all(Array.from({ length: 12 }, () => service.post(aPost()))),
      );
      for (const response of responses)
        expectUnavailable(response, 'The database is busy; nothing was changed.');
    } finally {
      await unlock();
    }
    await untilCreated();
  });

  it('answers 503 when the server has no connection left', async () => {
    const clients = await takeAllConnections();
    try {
      expectUnavailable(await service.get('/posts/'), 'The database is busy; nothing was changed.');
      await expectReady(503);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
    await untilCreated();
  });
});

describe('a write that PostgreSQL rejects temporarily', () => {
  it('is retried after a deadlock', async () => {
    const { id, path } = await service.create();
    const client = new Client(database.url);
    await client.connect();
    // Forces a deadlock: the service holds the row and waits for the table; this client holds the table and waits for
    // the row.
    await client.query(`
      CREATE TABLE others (id int); INSERT INTO others VALUES (1);
      CREATE FUNCTION touch_others() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE others SET id = id; RETURN NEW; END $$;
      CREATE TRIGGER touch BEFORE UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION touch_others()`);
    await client.query(`SET deadlock_timeout = '10s'; BEGIN; UPDATE others SET id = id`);
    const replaced = service.put(path, aPost({ title: 'b' }));
    await until(async () => {
      const waiting = await server.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    const locked = client
      .query('SELECT FROM posts WHERE id = $1 FOR UPDATE', [id])
      .then(() => client.query('COMMIT'));
    try {
      expect((await replaced).status).toBe(200);
    } finally {
      await locked;
      await client.query('DROP TRIGGER touch ON posts');
      await client.end();
    }
  });

  it('is answered 503 on a read-only server, while reads continue', async () => {
    const { path } = await service.create();
    await server.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    await server.stop();
    await server.startAgain();
    expectUnavailable(
      await service.post(aPost()),
      'The database accepts no writes at the moment; nothing was changed.',
    );
    expect((await service.get(path)).status).toBe(200);
    expect((await service.get('/health/ready')).shown).toMatchObject({
      status: 200,
      body: { status: 'ok', writes: 'refused', detail: 'The database is read-only: writes are refused.' },
    });
    await server.query(
      `ALTER DATABASE ${new URL(database.url).pathname.slice(1)} RESET default_transaction_read_only`,
    );
    await untilCreated();
  });
});

describe('a service that starts', () => {
  it('waits for a PostgreSQL server that starts at the same time', async () => {
    await server.stop();
    const starting = startService({ ...LIMITS, DATABASE_URL: database.url });
    await sleep(500);
    await server.startAgain();
    expect((await (await starting).get('/health/ready')).status).toBe(200);
  });

  it('refuses a database whose encoding cannot hold all of Unicode', async () => {
    await server.query("CREATE DATABASE latin1 TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
    await expect(startService({ ...LIMITS, DATABASE_URL: server.url('latin1') })).rejects.toThrow(
      "The database has the encoding LATIN1; create it with ENCODING 'UTF8' TEMPLATE template0.",
    );
  });

  it('fails when the password is wrong', async () => {
    const url = database.url.replace(/:[^:@]+@/, ':wrong@');
    await expect(startService({ ...LIMITS, DATABASE_URL: url })).rejects.toMatchObject({
      name: 'StartFault',
      message: 'The database cannot be opened: password authentication failed for user "posts".',
    });
  });
});

describe('a snapshot', () => {
  it('that cannot begin leaves no transaction on its connection', async () => {
    const own = await startService({ ...LIMITS, DATABASE_POOL_SIZE: '2', DATABASE_URL: database.url });
    const data = own.app.get(Database);
    const execute = jest.spyOn(PostgresConnection.prototype, 'execute');
    execute.mockImplementationOnce(function (this: PostgresConnection) {
      return this.execute('SELECT 1 / 0');
    });
    await expect(data.snapshot()).rejects.toMatchObject({ kind: 'unexpected' });
    execute.mockRestore();
    for (let n = 0; n < 4; n++) expect((await own.get('/posts/')).status).toBe(200);
    await own.stop();
  });

  it('that cannot be closed gives its place back', async () => {
    const own = await startService({ ...LIMITS, DATABASE_URL: database.url });
    const data = own.app.get(Database);
    const closeBadly = async (): Promise<string> => {
      const snapshot = await data.snapshot();
      const release = jest.spyOn(PostgresConnection.prototype, 'release');
      release.mockImplementationOnce(function (this: PostgresConnection) {
        release.mockRestore();
        this.release();
        throw new Error('broken');
      });
      return snapshot.close().then(() => 'closed', String);
    };
    for (let n = 0; n <= data.maxSnapshots; n++) {
      // Work of the start in the background may release its connection first.
      let outcome = '';
      await until(async () => (outcome = await closeBadly()) !== 'closed');
      expect(outcome).toBe('Error: broken');
    }
    await own.stop();
  });
});
