import { Client, type Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { BreakingRelay } from '../support/breaking-relay.js';
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
const MAX_CONNECTIONS = 20;

const UNREACHABLE = 'The database cannot be reached.';
const BUSY = 'The database is busy; nothing was changed.';

const server = await PostgresServer.start([`max_connections = ${MAX_CONNECTIONS}`]);
const database = await freshPostgresDatabase(server.url());
const service = await startService({ ...LIMITS, DATABASE_URL: database.url });
afterAll(async () => {
  await service.stop();
  await server.remove();
});

/** Expects that all responses say why the database cannot be used, before a request would wait too long for it. */
async function expectUnavailable(detail: string, pending: readonly Promise<HttpResponse>[]): Promise<void> {
  const startedAt = performance.now();
  const responses = await Promise.all(pending);
  expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
  for (const { status, headers, problem } of responses) {
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(problem).toMatchObject({ type: 'about:blank', status: 503, detail });
  }
}

async function expectReady(status: number): Promise<void> {
  expect((await service.get('/health/ready')).status).toBe(status);
  expect((await service.get('/health/live')).status).toBe(200);
}

/** Repeats a request until the service has recovered by itself. */
async function untilCreated(): Promise<void> {
  await until(async () => (await service.post(aPost())).status === 201);
}

/** Ends the connections of the service, as a restart of the server does. */
function disconnect(): Promise<unknown> {
  return server.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'posts-service'`,
  );
}

/** Takes all connections of the server. Tries again when a background task of the service takes one first. */
async function takeAllConnections(): Promise<Client[]> {
  for (;;) {
    await disconnect();
    const clients = Array.from({ length: MAX_CONNECTIONS }, () => new Client(database.url));
    for (const client of clients) client.on('error', () => undefined);
    const taken = await Promise.allSettled(clients.map((client) => client.connect()));
    if (taken.every(({ status }) => status === 'fulfilled')) return clients;
    await Promise.all(clients.map((client) => client.end()));
  }
}

describe('the service, while PostgreSQL is unreachable,', () => {
  it.each<[string, () => unknown, () => unknown]>([
    ['killed', () => server.kill(), () => server.startAgain()],
    ['stopped', () => server.stop(), () => server.startAgain()],
    ['frozen', () => server.freeze(), () => server.thaw()],
  ])('answers 503, fails readiness, and recovers afterwards (%s)', async (_, end, recover) => {
    const { path } = await service.create();
    await end();
    await expectUnavailable(UNREACHABLE, [service.get(path), service.get('/posts/'), service.post(aPost())]);
    await expectReady(503);
    await recover();
    await untilCreated();
    expect((await service.get(path)).status).toBe(200);
    await expectReady(200);
  });

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
    const acknowledged: number[] = [];
    const refusals: number[] = [];
    const load = new AbortController();
    const write = async (): Promise<void> => {
      while (!load.signal.aborted) {
        const response = await service.post(aPost());
        if (response.status === 201) acknowledged.push(response.json<PostJson>().id);
        else refusals.push(response.status);
      }
    };
    const writers = Array.from({ length: 8 }, write);
    for (let round = 0; round < 2; round++) {
      const [written, refused] = [acknowledged.length, refusals.length];
      await until(() => acknowledged.length > written + 20);
      await server.kill();
      await until(() => refusals.length > refused);
      await server.startAgain();
    }
    await untilCreated();
    load.abort();
    await Promise.all(writers);
    expect(new Set(refusals)).toEqual(new Set([503]));
    const stored = await database.query<{ id: string }>('SELECT id FROM posts');
    const ids = new Set(stored.map(({ id }) => Number(id)));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('the service, while PostgreSQL is busy,', () => {
  it('answers 503 and changes nothing when a statement waits too long for a lock', async () => {
    const { path, etag } = await service.create();
    const unlock = await database.lock();
    await expectUnavailable(BUSY, [service.put(path, aPost({ title: 'b' }))]);
    expect((await service.get(path)).etag).toBe(etag);
    await unlock();
    expect((await service.put(path, aPost({ title: 'b' }))).status).toBe(200);
  });

  it('changes other posts while another transaction has locked one', async () => {
    // With the short limit, the write that waits might be refused on a busy machine.
    const patient = await startService({ DATABASE_URL: database.url });
    const [locked, ...others] = await Promise.all([1, 2, 3, 4].map(() => patient.create()));
    const client = new Client(database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM posts WHERE id = $1 FOR UPDATE', [locked!.id]);
    const waiting = patient.put(locked!.path, aPost({ title: 'b' }));
    const changes = others.map(({ path }) => patient.put(path, aPost({ title: 'b' })));
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await client.query('COMMIT');
    expect((await waiting).status).toBe(200);
    await client.end();
    await patient.stop();
  });

  it('answers 503 when all connections of its pool are in use', async () => {
    const pool = (service.app.get(DataSource).driver as PostgresDriver).master as Pool;
    const clients = await Promise.all([1, 2, 3, 4].map(() => pool.connect()));
    await expectUnavailable(BUSY, [service.get('/posts/'), service.post(aPost())]);
    for (const client of clients) client.release();
    expect((await service.get('/posts/')).status).toBe(200);
  });

  it('answers 503 when the server has no connection left, and another service waits for one to start', async () => {
    const clients = await takeAllConnections();
    await expectUnavailable(BUSY, [service.get('/posts/')]);
    await expectReady(503);
    const starting = startService({ ...LIMITS, DATABASE_URL: database.url });
    expect(await Promise.race([starting, sleep(500, 'waiting')])).toBe('waiting');
    await Promise.all(clients.map((client) => client.end()));
    await (await starting).stop();
    await untilCreated();
  });
});

describe('a write that PostgreSQL rejects temporarily', () => {
  it('is retried after a deadlock, an import too', async () => {
    const { path } = await service.create();
    await database.execute(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('attempts') IN (1, 3) THEN RAISE deadlock_detected; END IF;
          RETURN NULL;
        END $$;
      CREATE TRIGGER deadlock AFTER INSERT OR UPDATE ON posts EXECUTE FUNCTION deadlock_once()`);
    expect((await service.put(path, aPost({ title: 'b' }))).status).toBe(200);
    // The service reads the file in several parts.
    const lines = Array<string>(300).fill(JSON.stringify(aPost({ title: 'again', body: 'x'.repeat(2_000) })));
    expect((await service.import(lines.join('\n'))).status).toBe(201);
    await database.execute('DROP TRIGGER deadlock ON posts');
    expect(await service.count('title=again')).toBe(300);
    const [attempts] = await database.query<{ last_value: number }>('SELECT last_value::int FROM attempts');
    expect(attempts!.last_value).toBeGreaterThan(3);
  });

  it('is answered 503 on a read-only server, while reads continue', async () => {
    const { path } = await service.create();
    const setting = `DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only`;
    await server.query(`ALTER ${setting} = on`);
    await disconnect();
    await expectUnavailable('The database accepts no writes at the moment; nothing was changed.', [
      service.post(aPost()),
    ]);
    expect((await service.get(path)).status).toBe(200);
    expect((await service.get('/health/ready')).shown).toMatchObject({
      status: 200,
      body: { status: 'ok', writes: 'refused', detail: 'The database is read-only: writes are refused.' },
    });
    await server.query(`ALTER ${setting} = off`);
    await untilCreated();
    expect(JSON.stringify(service.log)).toContain('The database accepts writes again.');
  });
});

it('waits at its start for a PostgreSQL server that starts at the same time', async () => {
  await server.stop();
  const starting = startService({ ...LIMITS, DATABASE_URL: database.url });
  await sleep(500);
  await server.startAgain();
  expect((await (await starting).get('/health/ready')).status).toBe(200);
});

describe('a connection that breaks during a COMMIT', () => {
  it('is answered 503 outcome-unknown, without Retry-After; the key tells what became of the request', async () => {
    const own = await freshPostgresDatabase(server.url());
    const relay = await BreakingRelay.start(own.url);
    const relayed = await startService({ DATABASE_URL: relay.urlOf(own.url) });
    await relayed.create();
    relay.breaksCommitOf = 'Unknown';
    const headers = { 'Idempotency-Key': 'unknown' };
    const post = aPost({ title: 'Unknown' });
    const { status, headers: fields, problem } = await relayed.post(post, headers);
    expect([status, problem.code, fields['retry-after']]).toEqual([503, 'outcome-unknown', undefined]);
    expect(problem.type).toContain('/problems/#outcome-unknown');
    expect(problem.detail).toMatch(/was made, or it was not/);
    const again = await relayed.post(post, headers);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect((await relayed.get('/posts/?title=Unknown')).json()).toHaveLength(1);
    await relayed.stop();
    await relay.stop();
  });
});

describe('a snapshot', () => {
  it('ends its running statement on the server when it is closed, long before the statement timeout', async () => {
    const own = await startService({ DATABASE_STATEMENT_TIMEOUT: '60', DATABASE_URL: database.url });
    const snapshot = await own.app.get(Database).snapshot();
    const running = snapshot.all(sql`SELECT count(*) FROM generate_series(1, 1000000000000)`);
    const isRunning = async (): Promise<boolean> => {
      const active = `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()`;
      return (
        (await server.query(`${active} AND query LIKE '%generate_series(1, 1000000000000)%'`)).length > 0
      );
    };
    await until(isRunning);
    const startedAt = performance.now();
    await Promise.all([expect(running).rejects.toThrow(), snapshot.close()]);
    await until(async () => !(await isRunning()));
    expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
    await own.stop();
  });

  it('leaves other requests a connection of the smallest pool', async () => {
    const own = await startService({ DATABASE_POOL_SIZE: '2', DATABASE_URL: database.url });
    const snapshot = await own.app.get(Database).snapshot();
    expect(own.app.get(Database).maxSnapshots).toBe(1);
    expect((await own.create()).id).toBeGreaterThan(0);
    expect((await own.get('/posts/')).status).toBe(200);
    await snapshot.close();
    await own.stop();
  });
});
