import { jest } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { Database } from '../../src/database/database.js';
import { IdempotencyKeys } from '../../src/idempotency/idempotency-keys.service.js';
import { UsedKey } from '../../src/idempotency/used-key.entity.js';
import { freshDatabase } from '../support/database.js';
import type { HttpResponse, RequestOptions } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const DAY_MS = 24 * 60 * 60 * 1_000;

const service = await startService();
afterEach(() => jest.restoreAllMocks());

let keys = 0;
const freshKey = () => `key-${(keys += 1)}`;

function postOnce(key: string, json: unknown = aPost(), to: Service = service): Promise<HttpResponse> {
  return to.post(json, { 'Idempotency-Key': key });
}

async function countPosts(title: string, at: Service = service): Promise<number> {
  return (await at.get(`/posts/?title=${title}`)).json<PostJson[]>().length;
}

/** The response without the header fields that differ in a replay. */
function withoutReplayed({ status, headers, bytes }: HttpResponse): object {
  const { 'idempotency-replayed': _, 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, bytes };
}

describe('POST /posts/ with an Idempotency-Key', () => {
  it('repeats the first response byte for byte, and stores no second post', async () => {
    const key = freshKey();
    const json = { title: 'replayed', body: 'x'.repeat(5_000) };
    const first = await postOnce(key, json);
    const second = await postOnce(key, json);
    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(withoutReplayed(second)).toEqual(withoutReplayed(first));
    expect(await countPosts('replayed')).toBe(1);
  });

  it('repeats the first response although the post has changed since', async () => {
    const key = freshKey();
    const first = await postOnce(key);
    const { id } = first.json<PostJson>();
    await service.put(`/posts/${id}/`, aPost({ title: 'changed' }));
    expect((await postOnce(key)).bytes).toEqual(first.bytes);
    await service.delete(`/posts/${id}/`);
    expect((await postOnce(key)).bytes).toEqual(first.bytes);
    expect((await service.get(`/posts/${id}/`)).status).toBe(404);
  });

  it('treats a key with and without quotes as the same key', async () => {
    const key = freshKey();
    const first = await postOnce(`"${key}"`);
    expect((await postOnce(key)).bytes).toEqual(first.bytes);
  });

  it('treats the same bytes, sent with gzip, as the same payload', async () => {
    const key = freshKey();
    const first = await postOnce(key);
    const again = await service.request('POST', '/posts/', {
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Idempotency-Key': key },
      body: gzipSync(JSON.stringify(aPost())),
    });
    expect(again.bytes).toEqual(first.bytes);
  });

  it.each<[string, RequestOptions]>([
    ['other bytes', { json: aPost({ title: 'another' }) }],
    ['another media type', { form: { title: 'A title', body: 'A body.' } }],
    ['the same JSON with other white space', { headers: JSON_TYPE, body: JSON.stringify(aPost(), null, 1) }],
  ])('answers 422 to another payload: %s', async (_, { headers, ...other }) => {
    const key = freshKey();
    await postOnce(key);
    const sent = { ...other, headers: { ...headers, 'Idempotency-Key': key } };
    const response = await service.request('POST', '/posts/', sent);
    expect(response.problem).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
  });

  it('applies return=minimal to each request separately, first or repeated', async () => {
    const minimal = { Prefer: 'return=minimal' };
    for (const [first, second] of [
      [{}, minimal],
      [minimal, {}],
      [minimal, minimal],
    ]) {
      const key = { 'Idempotency-Key': freshKey() };
      const json = aPost({ body: 'x'.repeat(5_000) });
      const sent = [first, second].map((headers) => ({ ...key, ...headers }));
      const responses = [await service.post(json, sent[0]), await service.post(json, sent[1])];
      for (const [index, response] of responses.entries()) {
        const isMinimal = [first, second][index] === minimal;
        expect(response.status).toBe(201);
        expect(response.headers['location']).toBe(responses[0]!.headers['location']);
        expect(response.etag).toBe(responses[0]!.etag);
        expect(response.headers['preference-applied']).toBe(isMinimal ? 'return=minimal' : undefined);
        expect(response.headers['idempotency-replayed']).toBe(index === 1 ? 'true' : undefined);
        const body = response.text === '' ? '' : response.json<PostJson>().body;
        expect(body).toBe(isMinimal ? '' : json.body);
      }
    }
  });

  it('creates one post from many concurrent requests', async () => {
    const key = freshKey();
    const responses = await Promise.all(
      Array.from({ length: 30 }, () => postOnce(key, aPost({ title: 'parallel' }))),
    );
    const outcomes = responses.map(({ status, headers }) => {
      if (status === 409) return `again in ${headers['retry-after']} s`;
      return headers['idempotency-replayed'] === 'true' ? 'replayed' : `first ${status}`;
    });
    expect(outcomes.filter((outcome) => outcome === 'first 201')).toHaveLength(1);
    const others = outcomes.filter((outcome) => outcome !== 'first 201');
    expect(others.filter((outcome) => outcome !== 'again in 1 s' && outcome !== 'replayed')).toEqual([]);
    expect(await countPosts('parallel')).toBe(1);
  });

  it('answers 409 while the first request is running', async () => {
    const key = freshKey();
    const unlock = await service.database.lock();
    const racing = [postOnce(key), postOnce(key)];
    const refused = await Promise.race(racing);
    expect(refused.problem).toMatchObject({ type: `${service.baseUrl}/problems/idempotency-key-in-use/` });
    expect((await postOnce(key)).status).toBe(409);
    await unlock();
    const made = (await Promise.all(racing)).find((response) => response !== refused)!;
    expect(made.status).toBe(201);
    expect((await postOnce(key)).bytes).toEqual(made.bytes);
  });

  it.each<[string, RequestOptions, number]>([
    ['is invalid', { json: { title: '' } }, 400],
    ['is malformed', { body: '{', headers: JSON_TYPE }, 400],
    ['has an unknown media type', { body: 'x', headers: { 'Content-Type': 'text/plain' } }, 415],
    ['is too large', { json: { title: 'large', body: 'x'.repeat(70_000) } }, 413],
  ])('accepts the key again after a request that %s', async (_, { headers, ...options }, status) => {
    const small = await startService({ MAX_BODY_BYTES: '65536' });
    const key = freshKey();
    const sent = { ...options, headers: { ...headers, 'Idempotency-Key': key } };
    expect((await small.request('POST', '/posts/', sent)).status).toBe(status);
    expect((await postOnce(key, aPost(), small)).status).toBe(201);
    await small.stop();
  });

  it.each([
    ['empty', ''],
    ['empty in quotes', '""'],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['sent twice', ['k1', 'k1']],
  ])('answers 400 when the key is %s', async (_, key) => {
    const response = await service.post(aPost({ title: 'malformed-key' }), { 'Idempotency-Key': key });
    expect(response.status).toBe(400);
    expect(response.faultyPlaces).toEqual(['header Idempotency-Key']);
    expect(await countPosts('malformed-key')).toBe(0);
  });

  it('keeps the keys of different API tokens separate', async () => {
    const tokens = ['a'.repeat(16), 'b'.repeat(16)] as const;
    const guarded = await startService({ API_TOKENS: tokens.join() });
    const post = (token: string, title: string) =>
      guarded.post(aPost({ title }), { Authorization: `Bearer ${token}`, 'Idempotency-Key': 'k1' });
    const first = await post(tokens[0], 'first');
    expect((await post(tokens[1], 'second')).status).toBe(201);
    expect((await post(tokens[0], 'first')).bytes).toEqual(first.bytes);
    await guarded.stop();
  });

  it('keeps the keys of different credentials separate where the service does not check them', async () => {
    const key = freshKey();
    const first = await service.post(aPost(), { Authorization: 'Basic YTph', 'Idempotency-Key': key });
    const second = await service.post(aPost(), { Authorization: 'Basic Yjpi', 'Idempotency-Key': key });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json<PostJson>().id).not.toBe(first.json<PostJson>().id);
  });

  it('keeps the keys of different base URLs separate, so a Location is one of the request at hand', async () => {
    const key = freshKey();
    const hosts = [`localhost:${service.port}`, `127.0.0.1:${service.port}`];
    const responses: HttpResponse[] = [];
    for (const Host of [...hosts, ...hosts])
      responses.push(await service.post(aPost(), { Host, 'Idempotency-Key': key }));
    const [first, second, ...again] = responses;
    expect([first, second].map((each) => new URL(each!.headers['location']!).host)).toEqual(hosts);
    expect(again.map(({ bytes }) => bytes)).toEqual([first!.bytes, second!.bytes]);
    const locations = (some: HttpResponse[]) => some.map(({ headers }) => headers['location']);
    expect(locations(again)).toEqual(locations([first!, second!]));
  });

  it('remembers the key across a restart', async () => {
    const database = await freshDatabase();
    const environment = { DATABASE_URL: database.url, PUBLIC_URL: 'http://posts.test' };
    const before = await startService(environment);
    const first = await postOnce('k1', aPost(), before);
    await before.stop();
    const after = await startService(environment);
    const second = await postOnce('k1', aPost(), after);
    await after.stop();
    await database.remove();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.bytes).toEqual(first.bytes);
  });

  it('keeps the key for 24 hours, and removes it afterwards', async () => {
    const key = freshKey();
    const first = await postOnce(key);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + DAY_MS - 60_000);
    expect((await postOnce(key)).bytes).toEqual(first.bytes);

    clock.mockReturnValue(now + DAY_MS + 60_000);
    await service.app.get(IdempotencyKeys).removeExpired();
    clock.mockReturnValue(now + DAY_MS - 60_000);
    const again = await postOnce(key);
    expect(again.status).toBe(201);
    expect(again.json<PostJson>().id).not.toBe(first.json<PostJson>().id);
  });

  it('ends the removal of expired keys when the service stops', async () => {
    const database = await freshDatabase();
    const stopped = await startService({ DATABASE_URL: database.url });
    const values = Array.from(
      { length: 1_000 },
      (_, index) => `('old ${index}', '', 201, '{}', '2001-01-01')`,
    );
    const columns = 'id, payload, status, headers, created_at';
    await database.execute(`INSERT INTO idempotency_keys (${columns}) VALUES ${values.join()}`);
    await Promise.all([stopped.app.get(IdempotencyKeys).removeExpired(), stopped.stop()]);
    const restarted = await startService({ DATABASE_URL: database.url });
    expect(await restarted.app.get(Database).reader.manager.exists(UsedKey)).toBe(true);
    await restarted.stop();
    await database.remove();
  });

  it('treats an expired key as new, even before it is removed', async () => {
    const key = freshKey();
    const first = await postOnce(key);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS + 60_000);
    const again = await postOnce(key, aPost({ title: 'another' }));
    expect(again.status).toBe(201);
    expect(again.json<PostJson>().id).not.toBe(first.json<PostJson>().id);
  });
});

describe('PUT and DELETE', () => {
  it('ignore an Idempotency-Key, because they are idempotent', async () => {
    const { path } = await service.create();
    expect((await service.put(path, aPost(), { 'Idempotency-Key': '' })).status).toBe(200);
    expect((await service.delete(path, { 'Idempotency-Key': '' })).status).toBe(204);
  });
});
