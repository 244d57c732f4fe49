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

const TOKENS = ['a'.repeat(16), 'b'.repeat(16)] as const;
const [service, guarded] = await Promise.all([
  startService({ MAX_BODY_BYTES: '65536' }),
  startService({ API_TOKENS: TOKENS.join() }),
]);
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

  it('treats a key in quotes, and the same bytes with gzip, as the same key and payload', async () => {
    const key = freshKey();
    const first = await postOnce(`"${key}"`);
    const zipped = gzipSync(JSON.stringify(aPost()));
    const headers = { ...JSON_TYPE, 'Content-Encoding': 'gzip', 'Idempotency-Key': key };
    const again = await service.request('POST', '/posts/', { headers, body: zipped });
    expect(again.bytes).toEqual(first.bytes);
  });

  it.each<[string, RequestOptions]>([
    ['other bytes', { json: aPost({ title: 'another' }) }],
    [
      'another media type',
      { headers: { 'Content-Type': 'application/x-ndjson' }, body: JSON.stringify(aPost()) },
    ],
    ['the same JSON with other white space', { headers: JSON_TYPE, body: JSON.stringify(aPost(), null, 1) }],
  ])('answers 422 to another payload: %s', async (_, { headers, ...other }) => {
    const key = freshKey();
    await postOnce(key);
    const sent = { ...other, headers: { ...headers, 'Idempotency-Key': key } };
    const response = await service.request('POST', '/posts/', sent);
    expect(response.problem).toMatchObject({ status: 422, code: 'idempotency-key-reused' });
  });

  it('applies return=minimal to each request separately, first or repeated', async () => {
    for (const prefer of [
      ['', 'minimal'],
      ['minimal', ''],
      ['minimal', 'minimal'],
    ] as const) {
      const key = { 'Idempotency-Key': freshKey() };
      const [first, second] = [
        await service.post(aPost(), { ...key, Prefer: `return=${prefer[0]}` }),
        await service.post(aPost(), { ...key, Prefer: `return=${prefer[1]}` }),
      ];
      expect(second.headers['idempotency-replayed']).toBe('true');
      for (const [index, { status, headers, etag, text }] of [first, second].entries()) {
        const isMinimal = prefer[index] === 'minimal';
        expect([status, headers['location'], etag]).toEqual([201, first.headers['location'], first.etag]);
        expect(headers['preference-applied']).toBe(isMinimal ? 'return=minimal' : undefined);
        expect(text === '').toBe(isMinimal);
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
    ['has an unknown media type', { body: 'x', headers: { 'Content-Type': 'text/plain' } }, 415],
    ['is too large', { json: { title: 'large', body: 'x'.repeat(70_000) } }, 413],
  ])('accepts the key again after a request that %s', async (_, { headers, ...options }, status) => {
    const key = freshKey();
    const sent = { ...options, headers: { ...headers, 'Idempotency-Key': key } };
    expect((await service.request('POST', '/posts/', sent)).status).toBe(status);
    expect((await postOnce(key)).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['empty in quotes', '""'],
    ['longer than 255 characters', 'k'.repeat(256)],
    ['sent twice', ['k1', 'k1']],
  ])('answers 400 when the key is %s', async (_, key) => {
    const response = await service.post(aPost({ title: 'malformed-key' }), { 'Idempotency-Key': key });
    expect(response.faultyPlaces).toEqual(['header Idempotency-Key']);
    expect(await countPosts('malformed-key')).toBe(0);
  });

  it.each([
    ['API tokens', true, [`Bearer ${TOKENS[0]}`, `Bearer ${TOKENS[1]}`]],
    ['credentials that the service does not check', false, ['Basic YTph', 'Basic Yjpi']],
  ] as const)('keeps the keys of different %s separate', async (_, isGuarded, [one, other]) => {
    const to = isGuarded ? guarded : service;
    const key = freshKey();
    const post = (Authorization: string) => to.post(aPost(), { Authorization, 'Idempotency-Key': key });
    const first = await post(one);
    const second = await post(other);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json<PostJson>().id).not.toBe(first.json<PostJson>().id);
    expect((await post(one)).bytes).toEqual(first.bytes);
  });

  it('keeps the keys of different base URLs separate, so a Location is one of the request at hand', async () => {
    const key = freshKey();
    const hosts = [`localhost:${service.port}`, `127.0.0.1:${service.port}`];
    const seen: HttpResponse[] = [];
    for (const Host of [...hosts, ...hosts])
      seen.push(await service.post(aPost(), { Host, 'Idempotency-Key': key }));
    const locations = seen.map(({ headers }) => headers['location']!);
    expect(locations.map((location) => new URL(location).host)).toEqual([...hosts, ...hosts]);
    expect(locations.slice(2)).toEqual(locations.slice(0, 2));
    expect(locations[0]!.endsWith(new URL(locations[1]!).pathname)).toBe(false);
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

    await service.app.get(IdempotencyKeys).removeExpired();
    clock.mockReturnValue(now + DAY_MS - 60_000);
    expect((await postOnce(`key-${keys}`)).json<PostJson>().id).not.toBe(expired.json<PostJson>().id);
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
});

describe('PUT and DELETE', () => {
  it('ignore an Idempotency-Key, because they are idempotent', async () => {
    const { path } = await service.create();
    expect((await service.put(path, aPost(), { 'Idempotency-Key': '' })).status).toBe(200);
    expect((await service.delete(path, { 'Idempotency-Key': '' })).status).toBe(204);
  });
});
