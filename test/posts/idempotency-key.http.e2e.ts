import { jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { LessThan } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { IdempotencyKeys } from '../../src/idempotency/idempotency-keys.service.js';
import { UsedKey } from '../../src/idempotency/used-key.entity.js';
import { freshDatabase } from '../support/database.js';
import type { HttpResponse, RequestOptions } from '../support/http-client.js';
import { startAdminService } from '../support/admin.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const DAY_MS = 24 * 60 * 60 * 1_000;

const service = await startService({ MAX_BODY_BYTES: '1048576' });
afterEach(() => jest.restoreAllMocks());

let keys = 0;
const freshKey = () => `key-${(keys += 1)}`;

function postOnce(key: string, json: unknown = aPost(), to: Service = service): Promise<HttpResponse> {
  return to.post(json, { 'Idempotency-Key': key });
}

async function countPosts(title: string): Promise<number> {
  return (await service.get(`/posts/?title=${title}`)).json<PostJson[]>().length;
}

/** The response without the header fields that differ in a replay. */
function withoutReplayed({ status, headers, bytes }: HttpResponse): object {
  const { 'idempotency-replayed': _, 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, bytes };
}

// instances.postgres.load.ts has keys on PostgreSQL.
describe('POST /posts/ with an Idempotency-Key', () => {
  it('repeats the first response byte for byte, although the post has changed since', async () => {
    const key = freshKey();
    const json = { title: 'replayed', body: 'x'.repeat(5_000) };
    const first = await postOnce(key, json);
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const expectReplay = async () => {
      const again = await postOnce(key, json);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(withoutReplayed(again)).toEqual(withoutReplayed(first));
    };
    await expectReplay();
    expect(await countPosts('replayed')).toBe(1);
    const { id } = first.json<PostJson>();
    await service.put(`/posts/${id}/`, aPost({ title: 'changed' }));
    await expectReplay();
    await service.delete(`/posts/${id}/`);
    await expectReplay();
    expect((await service.get(`/posts/${id}/`)).status).toBe(404);
  });

  it('keeps the keys of a user apart from those of a client that sends the same text as its credentials', async () => {
    const { service: own, admin } = await startAdminService();
    const [key, json] = [freshKey(), aPost()];
    const post = (headers: Record<string, string>) => own.post(json, { 'Idempotency-Key': key, ...headers });
    const first = await post(admin.headers);
    expect(first.status).toBe(201);
    const ids = [first.json<PostJson>().id];
    for (const Authorization of ['account:1', 'token:1', 'Bearer account:1']) {
      const response = await post({ Authorization });
      expect([response.status, response.headers['idempotency-replayed']]).toEqual([201, undefined]);
      ids.push(response.json<PostJson>().id);
    }
    expect(new Set(ids).size).toBe(4);
    expect((await post(admin.headers)).headers['idempotency-replayed']).toBe('true');
  });

  it('treats the same bytes with gzip as the same payload', async () => {
    const key = freshKey();
    const first = await postOnce(key);
    const zipped = gzipSync(JSON.stringify(aPost()));
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip', 'Idempotency-Key': key };
    const again = await service.request('POST', '/posts/', { headers, body: zipped });
    expect(again.bytes).toEqual(first.bytes);
  });

  it.each(['application/json', 'multipart/form-data; boundary=b'])(
    'repeats a response that is written in pieces: %s',
    async (type) => {
      const key = freshKey();
      const body = `a"\r\n\u0001${'😀"'.repeat(60_000)}`;
      const parts = ['title', 'body'].map(
        (name) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`,
      );
      const sent = type.startsWith('application')
        ? JSON.stringify({ title: 't', body })
        : `${parts[0]}t\r\n${parts[1]}${body}\r\n--b--\r\n`;
      const send = (payload: string): Promise<HttpResponse> =>
        service.request('POST', '/posts/', {
          headers: { 'Content-Type': type, 'Idempotency-Key': key },
          body: payload,
        });
      const first = await send(sent);
      expect(first.status).toBe(201);
      expect(first.json<PostJson>().body === body).toBe(true);
      const [stored] = await service.database.query<{ length: number }>(
        'SELECT max(octet_length(body)) AS length FROM idempotency_keys',
      );
      expect(stored!.length).toBeLessThan(Buffer.byteLength(body) + 1_000);
      const again = await send(sent);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(withoutReplayed(again)).toEqual(withoutReplayed(first));
      expect((await send(sent.replace('😀', '😁'))).status).toBe(422);
    },
  );

  it('repeats a long response as version 1.1 stored it: unescaped, after a line feed', async () => {
    const key = freshKey();
    const json = { title: 'of 1.1', body: 'a"b\n\u0001' };
    const first = await postOnce(key, json);
    const [start] = first.text.split('"body":') as [string];
    const stored = `${start}"body":"\n${json.body}`;
    await service.database.execute(
      `UPDATE idempotency_keys SET body = '${stored}' WHERE body LIKE '%of 1.1%'`,
    );
    expect((await postOnce(key, json)).json()).toEqual(first.json());
  });

  it('treats multipart with the same fields as the same payload, whatever its boundary', async () => {
    const key = { 'Idempotency-Key': freshKey() };
    const send = async (json: object): Promise<HttpResponse> => {
      const form = new Response(
        Object.entries(json).reduce((data, each) => (data.set(...each), data), new FormData()),
      );
      const headers = { ...key, 'Content-Type': form.headers.get('content-type')! };
      return service.request('POST', '/posts/', { headers, body: Buffer.from(await form.arrayBuffer()) });
    };
    const first = await send(aPost());
    expect(first.status).toBe(201);
    expect((await send(aPost())).bytes).toEqual(first.bytes);
    expect((await send(aPost({ body: 'other' }))).status).toBe(422);
  });

  it.each<[string, RequestOptions]>([
    ['the same JSON with other white space', { headers: JSON_TYPE, body: JSON.stringify(aPost(), null, 1) }],
    ['another media type', { headers: { 'Content-Type': 'text/csv' }, body: JSON.stringify(aPost()) }],
  ])('answers 422 to another payload: %s', async (_, { headers, ...other }) => {
    const key = freshKey();
    await postOnce(key);
    const sent = { ...other, headers: { ...headers, 'Idempotency-Key': key } };
    const response = await service.request('POST', '/posts/', sent);
    expect(response.problem).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
  });

  it('answers 409 while the first request is running', async () => {
    const key = freshKey();
    const unlock = await service.database.lock();
    const racing = [postOnce(key), postOnce(key)];
    const refused = await Promise.race(racing);
    expect(refused.problem).toMatchObject({ type: `${service.baseUrl}/problems/#idempotency-key-in-use` });
    expect((await postOnce(key)).status).toBe(409);
    await unlock();
    const made = (await Promise.all(racing)).find((response) => response !== refused)!;
    expect(made.status).toBe(201);
    expect((await postOnce(key)).bytes).toEqual(made.bytes);
  });

  it.each<[string, RequestOptions, number]>([
    ['is invalid', { json: { title: '' } }, 400],
    ['is too large', { json: { title: 'large', body: 'x'.repeat(1_100_000) } }, 413],
  ])('accepts the key again after a request that %s', async (_, options, status) => {
    const headers = { 'Idempotency-Key': freshKey() };
    expect((await service.request('POST', '/posts/', { ...options, headers })).status).toBe(status);
    expect((await service.post(aPost(), headers)).status).toBe(201);
  });

  const MALFORMED = ['', '""', 'k'.repeat(256), '"k1', 'k"1', String.raw`"k\1"`, '"k1";a=1', 'clé', 'k\t1'];

  it.each([...MALFORMED, ['k1', 'k1']])(
    'answers 400 when the key is malformed or sent twice: %j',
    async (key) => {
      const response = await service.post(aPost({ title: 'malformed-key' }), { 'Idempotency-Key': key });
      expect(response.faultyPlaces).toEqual(['header Idempotency-Key']);
      expect(await countPosts('malformed-key')).toBe(0);
    },
  );

  it.each([
    ['"two words"', 'two words'],
    [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ])('takes the key %s as %s', async (quoted, bare) => {
    const { status, text } = await postOnce(quoted);
    expect([status, (await postOnce(bare)).text]).toEqual([201, text]);
  });

  it('keeps the keys of different credentials and of different base URLs separate', async () => {
    const key = { 'Idempotency-Key': freshKey() };
    const senders: Record<string, string>[] = [
      {},
      { Authorization: 'Basic YTph' },
      { Authorization: 'Basic Yjpi' },
      { Host: `localhost:${service.port}` },
    ];
    const send = () => Promise.all(senders.map((sender) => service.post(aPost(), { ...key, ...sender })));
    const first = await send();
    const again = await send();
    expect(new Set(first.map((response) => response.json<PostJson>().id)).size).toBe(senders.length);
    expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    expect(first.at(-1)!.headers['location']).toMatch(/^http:\/\/localhost:/);
  });

  it('remembers the key across a restart, and ends the removal of expired ones when it stops', async () => {
    const database = await freshDatabase();
    const environment = { DATABASE_URL: database.url, PUBLIC_URL: 'http://posts.test' };
    const before = await startService(environment);
    const first = await postOnce('k1', aPost(), before);
    const old = Array.from({ length: 1_000 }, (_, index) => `('old ${index}', '', 201, '{}', '2001-01-01')`);
    const columns = 'id, payload, status, headers, created_at';
    await database.execute(`INSERT INTO idempotency_keys (${columns}) VALUES ${old.join()}`);
    await Promise.all([before.app.get(IdempotencyKeys).removeOld(), before.stop()]);
    const after = await startService(environment);
    const second = await postOnce('k1', aPost(), after);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.bytes).toEqual(first.bytes);
    const { manager } = after.app.get(Database).reader;
    expect(await manager.existsBy(UsedKey, { createdAt: LessThan('2002') })).toBe(true);
    await after.stop();
    await database.remove();
  });

  it('keeps the key for 24 hours; then it is new, and is removed', async () => {
    const key = freshKey();
    const first = await postOnce(key);
    const expired = await postOnce(freshKey());
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + DAY_MS - 60_000);
    expect((await postOnce(key)).bytes).toEqual(first.bytes);
    clock.mockReturnValue(now + DAY_MS + 60_000);
    const again = await postOnce(key, aPost({ title: 'another' }));
    expect(again.status).toBe(201);
    expect(again.json<PostJson>().id).not.toBe(first.json<PostJson>().id);

    await service.app.get(IdempotencyKeys).removeOld();
    clock.mockReturnValue(now + DAY_MS - 60_000);
    expect((await postOnce(`key-${keys}`)).json<PostJson>().id).not.toBe(expired.json<PostJson>().id);
  });

  it('keeps an expired key that is used again while it is removed', async () => {
    const key = freshKey();
    await postOnce(key);
    await service.database.execute("UPDATE idempotency_keys SET created_at = '2001-01-01'");
    const database = service.app.get(Database);
    const write = database.write.bind(database);
    jest.spyOn(database, 'write').mockImplementationOnce(async (work, client) => {
      expect((await postOnce(key)).headers).not.toHaveProperty('idempotency-replayed');
      return write(work, client);
    });
    await service.app.get(IdempotencyKeys).removeOld();
    expect((await postOnce(key)).headers['idempotency-replayed']).toBe('true');
  });
});

describe('PUT and DELETE', () => {
  it('ignore an Idempotency-Key, because they are idempotent', async () => {
    const { path } = await service.create();
    expect((await service.put(path, aPost(), { 'Idempotency-Key': '' })).status).toBe(200);
    expect((await service.delete(path, { 'Idempotency-Key': '' })).status).toBe(204);
  });
});
