import { aPost, listOf, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const failed = { status: 412, code: 'precondition-failed' };
const malformed = (header: string) => ({ status: 400, errors: [{ code: 'malformed', header }] });
const replacement = { title: 'New', pub_date: '2027-01-01T00:00:00.000Z', body: 'New body.' };

describe('the ETag of a post', () => {
  it('changes with every change of any field, and never repeats, even when the content does', async () => {
    const post = await service.create();
    const tags = [post.etag, (await service.create()).etag];
    const changes = [{ title: 'b' }, { body: 'b' }, { pub_date: '2026-11-20T14:40:00.000001Z' }, {}];
    for (const change of changes) {
      const { etag } = await service.put(post.path, aPost(change));
      expect((await service.get(post.path)).etag).toBe(etag);
      tags.push(etag);
    }
    expect(new Set(tags).size).toBe(6);
  });

  it.each([
    ['no date', ({ title, body }: PostJson) => ({ title, body })],
    ['another spelling of the date', (post: PostJson) => ({ ...post, pub_date: '2026-11-20 15:40+01:00' })],
  ])('is kept by a PUT that changes nothing: %s', async (_, change) => {
    const post = await service.create();
    const response = await service.put(post.path, change(post));
    expect([response.status, response.etag, response.json()]).toEqual([200, post.etag, post]);
    expect((await service.get(post.path)).etag).toBe(post.etag);
  });
});

// src/http/protocol/entity-tags.spec.ts has all forms of both fields.
describe('If-None-Match on a read', () => {
  it('answers 304 to the tag of the current version, and 200 to any other field', async () => {
    const post = await service.create();
    for (const [method, path] of [
      ['GET', post.path],
      ['HEAD', post.path],
      ['GET', listOf([post])],
    ] as const) {
      const current = await service.get(path);
      const { etag, link, vary } = current.headers;
      const { shown } = await service.request(method, path, { headers: { 'If-None-Match': `W/${etag}` } });
      const headers = { etag, 'cache-control': 'no-cache', vary, ...(link !== undefined && { link }) };
      expect(shown).toEqual({ status: 304, headers });
      for (const field of ['"a"', '', 'malformed', `${etag}, x`, etag!.replace(/"$/, '-br"')])
        expect((await service.get(path, { 'If-None-Match': field })).text).toBe(current.text);
    }
  });

  it.each<[string, (posts: readonly PostJson[]) => Promise<unknown>]>([
    ['one of its posts is replaced', ([, two]) => service.put(`/posts/${two!.id}/`, replacement)],
    ['the last of its posts is deleted', ([, , three]) => service.delete(`/posts/${three!.id}/`)],
  ])('answers 200 when %s, whatever fields the list shows', async (_, change) => {
    const posts = await service.createAll([{}, {}, {}]);
    const paths = ['', '&fields=id', '&fields=pub_date'].map((fields) => listOf(posts, `&limit=5${fields}`));
    const tags = await Promise.all(paths.map(async (path) => (await service.get(path)).etag));
    expect(new Set(tags).size).toBe(3);
    const ask = (path: string, index: number) => service.get(path, { 'If-None-Match': tags[index]! });
    expect((await Promise.all(paths.map(ask))).map(({ status }) => status)).toEqual([304, 304, 304]);
    await change(posts);
    expect((await Promise.all(paths.map(ask))).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('answers 200 when a page is no longer the last page', async () => {
    await service.create({ title: 'paged', pub_date: '2020-01-02T00:00:00.000Z' });
    const path = '/posts/?title=paged&limit=1';
    const { etag } = await service.get(path);
    await service.create({ title: 'paged', pub_date: '2020-01-01T00:00:00.000Z' });
    expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(200);
  });
});

describe('If-Match on a read', () => {
  it('answers 200 to a list with the tag of any coding', async () => {
    const post = await service.create();
    for (const path of [post.path, `/posts/?id=${post.id}`, '/openapi.json']) {
      const { etag } = await service.get(path);
      const response = await service.get(path, { 'If-Match': `"a", ${etag.replace(/"$/, '-gzip"')}` });
      expect([path, response.status, response.etag]).toEqual([path, 200, etag]);
    }
  });

  it('answers 412 to the tag of an earlier version, even when If-None-Match would give 304', async () => {
    const post = await service.create();
    const list = `/posts/?id=${post.id}`;
    const before = await service.get(list);
    const csv = { Accept: 'text/csv' };
    const { etag: streamed } = await service.get('/posts/', csv);
    const { etag } = await service.put(post.path, aPost({ title: 'New' }));
    // Twice, so that the second response can come from the cache.
    for (let time = 0; time < 2; time += 1) {
      const headers = { 'If-Match': post.etag, 'If-None-Match': etag };
      expect((await service.get(post.path, headers)).problem).toMatchObject(failed);
      expect((await service.request('HEAD', post.path, { headers })).status).toBe(412);
      expect((await service.get(list, { 'If-Match': before.etag })).problem).toMatchObject(failed);
      const stale = await service.get('/posts/', { ...csv, 'If-Match': streamed });
      expect(stale.problem).toMatchObject(failed);
      expect((await service.get(post.path)).status).toBe(200);
    }
  });

  it('answers 400 when it is malformed, and 404 for an unknown post', async () => {
    const post = await service.create();
    expect((await service.get(post.path, { 'If-Match': 'x' })).problem).toMatchObject(malformed('If-Match'));
    expect((await service.get('/posts/999999/', { 'If-Match': '*' })).status).toBe(404);
  });
});

type Fields = Record<string, string | string[]>;

const LONG_AGO = { 'If-Unmodified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' };
const tomorrow = () => ({ 'If-Unmodified-Since': new Date(Date.now() + 86_400_000).toUTCString() });

// concurrent-writes.load.ts has concurrent writes.
describe.each([
  ['PUT', '/posts/{id}/'],
  ['PUT', '/posts/?id={id}'],
  ['DELETE', '/posts/{id}/'],
  ['DELETE', '/posts/?id={id}'],
])('%s %s', (method, template) => {
  const send = (id: number, headers: Fields) =>
    service.request(method, template.replace('{id}', String(id)), {
      headers,
      ...(method === 'PUT' ? { json: replacement } : {}),
    });

  it.each<[string, (etag: string) => Fields]>([
    ['If-Match is sent twice', (etag) => ({ 'If-Match': ['"a"', etag] })],
    ['If-Match is the tag and If-Unmodified-Since is earlier', (etag) => ({ 'If-Match': etag, ...LONG_AGO })],
    ['If-None-Match has other tags', () => ({ 'If-None-Match': '"a", W/"b"' })],
    ['If-Unmodified-Since is not an HTTP date', () => ({ 'If-Unmodified-Since': '1970-01-01T00:00:00Z' })],
    ['If-Modified-Since is the current time', () => ({ 'If-Modified-Since': new Date().toUTCString() })],
  ])('writes when %s', async (_, headers) => {
    const post = await service.create();
    expect((await send(post.id, headers(post.etag))).status).toBe(method === 'PUT' ? 200 : 204);
  });

  it('answers 412 or 400, and writes nothing, when a precondition fails or is malformed', async () => {
    const { id, path, etag: stale } = await service.create();
    const { etag, text } = await service.put(path, aPost({ title: 'Theirs' }));
    const refused: [Fields, object][] = [
      [{ 'If-Match': stale }, failed],
      [{ 'If-Match': `W/${stale}` }, failed],
      [{ 'If-Match': '' }, failed],
      [{ 'If-None-Match': '*' }, failed],
      [{ 'If-None-Match': `"a", W/${etag}` }, failed],
      [{ 'If-Match': stale, ...tomorrow() }, failed],
      [LONG_AGO, failed],
      [{ 'If-Match': etag, 'If-None-Match': '*' }, failed],
      [{ 'If-Match': '"a", *', 'If-None-Match': '*' }, malformed('If-Match')],
      [{ 'If-Match': stale, 'If-None-Match': '"a", *' }, malformed('If-None-Match')],
    ];
    for (const [headers, problem] of refused)
      expect([headers, (await send(id, headers)).problem]).toMatchObject([headers, problem]);
    const after = await service.get(path);
    expect([after.etag, after.text]).toEqual([etag, text]);
  });

  it.each<Fields>([{ 'If-None-Match': '*' }, { 'If-Match': 'x' }])(
    'answers 404 for a post that does not exist, before it checks %j',
    async (headers) => {
      expect((await send(999_999, headers)).problem).toMatchObject({ status: 404, type: 'about:blank' });
    },
  );
});
