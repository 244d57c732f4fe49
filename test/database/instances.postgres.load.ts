import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PostWritesRepository } from '../../src/posts/writes/post-writes.repository.js';
import type { HttpResponse, RequestOptions } from '../support/http-client.js';
import { type Service, startInstances } from '../support/service.js';
import { aPost, type PostJson } from '../support/posts.js';
import { until } from '../support/until.js';

const { database, instances } = await startInstances();
const [one, other, another] = instances;

const ROUNDS = 8;

describe('several instances on one database', () => {
  it('immediately show each other’s writes, and accept each other’s entity tags and cursors', async () => {
    const { path, etag: first } = await one.create({ title: 'a' });
    expect((await other.get(path, { 'If-None-Match': first })).status).toBe(304);
    const { etag } = await other.put(path, aPost({ title: 'b' }), { 'If-Match': first });
    expect((await one.put(path, aPost({ title: 'c' }), { 'If-Match': first })).status).toBe(412);
    expect((await one.get(path)).etag).toBe(etag);
    expect((await one.get('/posts/?ordering=-id&limit=1')).json<PostJson[]>()[0]!.title).toBe('b');
    await one.delete(path);
    expect((await other.get(path, { 'If-None-Match': etag })).status).toBe(404);

    const posts = await one.createAll(Array.from({ length: 3 }, () => ({ title: 'cursor' })));
    const page = await one.get('/posts/?title=cursor&ordering=id&limit=2');
    const next = await other.get(page.links['next']!);
    expect(next.json<PostJson[]>().map(({ id }) => id)).toEqual([posts[2]!.id]);
    expect((await another.get(next.links['prev']!)).text).toBe(page.text);
  });

  it('accept one of three concurrent PUTs with the same entity tag', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { path, etag } = await one.create();
      const responses = await Promise.all(
        instances.map((instance, n) => instance.put(path, aPost({ title: `by ${n}` }), { 'If-Match': etag })),
      );
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
      const winner = responses.find(({ status }) => status === 200)!;
      expect((await other.get(path)).text).toBe(winner.text);
    }
  });

  it('know of a running write, also of one with the newest number, and of a later change with an older one', async () => {
    const [older, newer] = [new Client(database.url), new Client(database.url)];
    await Promise.all([older.connect(), newer.connect()]);
    const { id } = await one.create();
    await older.query('BEGIN; SELECT pg_current_xact_id()');
    await newer.query('BEGIN; SELECT pg_current_xact_id()');
    const running = await newer.query<{ time: string }>('SELECT posts_change_clock() AS time');
    await older.query(
      `UPDATE posts SET modified = posts_change_clock(), version = version + 1 WHERE id = ${id}`,
    );
    await older.query('COMMIT');
    const { rows } = await older.query<{ horizon: string }>('SELECT posts_horizon() AS horizon');
    expect(rows[0]!.horizon <= running.rows[0]!.time).toBe(true);
    await Promise.all([older.end(), newer.end()]);
  });

  it('list a change whose transaction commits after a list was read, though their clocks are ahead', async () => {
    const realNow = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + 600_000);
    const { id } = await one.create();
    const client = new Client(database.url);
    await client.connect();
    await client.query(`
      BEGIN;
      UPDATE posts SET modified = posts_change_clock(), title = 'in flight', version = version + 1 WHERE id = ${id}
    `);
    // The next change has a Last-Modified in a later second.
    await sleep(1_000);
    await other.create();
    const { headers } = await other.get('/posts/?limit=1');
    await client.query('COMMIT');
    const date = new Date(headers['last-modified']!).toISOString();
    // The writers of the copy may have left more posts than fit a page.
    const changed = await other.get(`/posts/?modified_after=${date}&ordering=-modified`);
    expect(changed.json<PostJson[]>().map(({ title }) => title)).toContain('in flight');
    await client.end();
    clock.mockRestore();
  });

  const anImport = {
    body: '{"title":"held up","body":""}\n',
    headers: { 'Content-Type': 'application/x-ndjson' },
  };

  it.each<[string, RequestOptions, number]>([
    ['a post', { json: aPost({ title: 'held up' }) }, 1],
    // Whichever begins its transaction first.
    ['an import', anImport, ROUNDS],
  ])('answer 409 while another handles a request with the same key: %s', async (kind, request, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const options = { ...request, headers: { ...request.headers, 'Idempotency-Key': `${kind} ${round}` } };
      const unlock = await database.lock();
      const racing = [one, other].map((instance) => instance.request('POST', '/posts/', options));
      try {
        const refused = await Promise.race(racing);
        expect([refused.status, refused.headers['retry-after']]).toEqual([409, '1']);
        expect(refused.problem.type).toMatch(/\/problems\/#idempotency-key-in-use$/);
        // A later request gets 409, too.
        expect((await another.request('POST', '/posts/', options)).status).toBe(409);
      } finally {
        await unlock();
      }
      const made = (await Promise.all(racing)).filter(({ status }) => status === 201);
      const replayed = await another.request('POST', '/posts/', options);
      expect(made.map(({ text }) => text)).toEqual([replayed.text]);
      expect(replayed.headers['idempotency-replayed']).toBe('true');
    }
  });

  it('answer 409 to a key that another has used since it was looked for', async () => {
    const options = { json: aPost(), headers: { 'Idempotency-Key': 'used meanwhile' } };
    const send = (instance: Service) => instance.request('POST', '/posts/', options);
    const posts = one.app.get(PostWritesRepository);
    const prepare = posts.prepare.bind(posts);
    let first: HttpResponse | undefined;
    jest.spyOn(posts, 'prepare').mockImplementationOnce(async (...content) => {
      first = await send(other);
      return prepare(...content);
    });
    expect((await send(one)).problem).toMatchObject({ status: 409, code: 'idempotency-key-in-use' });
    expect((await send(one)).text).toBe(first!.text);
  });

  it('write posts while an import of another instance waits in the middle', async () => {
    const client = new Client(database.url);
    await client.connect();
    await client.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(1);
        RETURN NEW;
      END $$;
      CREATE TRIGGER wait BEFORE INSERT ON posts FOR EACH ROW WHEN (NEW.title = 'wait') EXECUTE FUNCTION wait()
    `);
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(1)');
    const lines = Array<string>(601).fill('in the middle').with(550, 'wait');
    const body = lines.map((title) => JSON.stringify({ title, body: '' })).join('\n');
    const importing = one.request('POST', '/posts/', { ...anImport, body });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => (await database.query(waiting)).length > 0);
    const { path } = await other.create();
    expect((await other.put(path, aPost({ title: 'not held up' }))).status).toBe(200);
    expect((await other.delete(path)).status).toBe(204);
    expect((await other.get('/posts/?title=in+the+middle')).json()).toEqual([]);
    await client.query('COMMIT');
    await client.end();
    const { created, first_id, last_id } = (await importing).json<Record<string, number>>();
    // Another post has an id between those of the import.
    expect([created, last_id! - first_id! > 600]).toEqual([601, true]);
    const counted = await one.get('/posts/?title=in+the+middle', { Prefer: 'count=exact' });
    expect(counted.headers['x-total-count']).toBe('600');
  });

  it('write posts while other transactions have taken all counters but one', async () => {
    const clients = await Promise.all(
      Array.from({ length: 63 }, async () => {
        const client = new Client(database.url);
        await client.connect();
        await client.query(
          'BEGIN; UPDATE posts_counters SET changes = changes WHERE id = (SELECT posts_free_counter())',
        );
        return client;
      }),
    );
    try {
      const { path, etag } = await one.create();
      expect((await one.put(path, aPost({ title: 'not held up' }), { 'If-Match': etag })).status).toBe(200);
      expect((await one.delete(path)).status).toBe(204);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });
});
