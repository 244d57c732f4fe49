import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const failed = { status: 412, code: 'precondition-failed' };
const malformed = (header: string) => ({ status: 400, errors: [{ code: 'malformed', header }] });

// src/http/protocol/preconditions.spec.ts has all forms of both fields.
describe('If-None-Match on a read', () => {
  it.each<[string, (etag: string) => string]>([
    ['the weak form of the tag', (etag) => `W/${etag}`],
    ['*', () => '*'],
  ])('answers 304 to %s', async (_, field) => {
    const post = await service.create();
    const headers = { 'If-None-Match': field(post.etag) };
    for (const method of ['GET', 'HEAD']) {
      expect((await service.request(method, post.path, { headers })).shown).toEqual({
        status: 304,
        headers: { etag: post.etag, 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' },
      });
    }
  });

  it.each(['"a"', 'malformed'])('answers 200 to %s', async (field) => {
    const post = await service.create();
    expect((await service.get(post.path, { 'If-None-Match': field })).json()).toEqual(post);
  });
});

describe('If-Match on a read', () => {
  const notAsAskedFor = { ...failed, detail: 'The current representation does not match If-Match.' };

  it.each<[string, (etag: string) => string]>([
    ['the tag of another coding', (etag) => etag.replace(/"$/, '-gzip"')],
    ['a list with the tag', (etag) => `"a", ${etag}`],
  ])('answers 200 to %s', async (_, field) => {
    const post = await service.create();
    for (const path of [post.path, `/posts/?id=${post.id}`, '/openapi.json']) {
      const { etag } = await service.get(path);
      const response = await service.get(path, { 'If-Match': field(etag) });
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
      expect((await service.get(post.path, headers)).problem).toMatchObject(notAsAskedFor);
      expect((await service.request('HEAD', post.path, { headers })).status).toBe(412);
      expect((await service.get(list, { 'If-Match': before.etag })).problem).toMatchObject(notAsAskedFor);
      const stale = await service.get('/posts/', { ...csv, 'If-Match': streamed });
      expect(stale.problem).toMatchObject(notAsAskedFor);
      expect((await service.get(post.path)).status).toBe(200);
    }
  });

  it('answers 400 when it is malformed, and 404 for an unknown post', async () => {
    const post = await service.create();
    expect((await service.get(post.path, { 'If-Match': 'x' })).problem).toMatchObject(malformed('If-Match'));
    expect((await service.get('/posts/999999/', { 'If-Match': '*' })).status).toBe(404);
  });
});

type Fields = Record<string, string | readonly string[]>;

const LONG_AGO = { 'If-Unmodified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' };
const tomorrow = () => ({ 'If-Unmodified-Since': new Date(Date.now() + 86_400_000).toUTCString() });

describe.each([
  ['PUT', '/posts/{id}/'],
  ['PUT', '/posts/?id={id}'],
  ['DELETE', '/posts/{id}/'],
  ['DELETE', '/posts/?id={id}'],
])('%s %s', (method, template) => {
  const send = (id: number, headers: Fields) =>
    service.request(method, template.replace('{id}', String(id)), {
      headers,
      ...(method === 'PUT' ? { json: aPost({ title: 'New' }) } : {}),
    });

  it.each<[string, (etag: string) => Fields]>([
    ['If-Match lists the tag', (etag) => ({ 'If-Match': `"a",${etag}, "b"` })],
    ['If-Match is sent twice', (etag) => ({ 'If-Match': ['"a"', etag] })],
    ['both preconditions hold', (etag) => ({ 'If-Match': etag, 'If-None-Match': '"a"' })],
    ['If-Match is the tag and If-Unmodified-Since is earlier', (etag) => ({ 'If-Match': etag, ...LONG_AGO })],
    ['If-Unmodified-Since is not an HTTP date', () => ({ 'If-Unmodified-Since': '1970-01-01T00:00:00Z' })],
    ['If-Modified-Since is the current time', () => ({ 'If-Modified-Since': new Date().toUTCString() })],
  ])('writes when %s', async (_, headers) => {
    const post = await service.create();
    expect((await send(post.id, headers(post.etag))).status).toBe(method === 'PUT' ? 200 : 204);
  });

  it.each<[string, (etag: string) => Fields]>([
    ['If-Match is another tag', () => ({ 'If-Match': '"a"' })],
    ['If-Match is a tag with the same beginning', (etag) => ({ 'If-Match': `${etag.slice(0, -1)}0"` })],
    ['If-Match has an unknown content coding', (etag) => ({ 'If-Match': `${etag.slice(0, -1)}-zip"` })],
    ['If-None-Match is *', () => ({ 'If-None-Match': '*' })],
    ['only If-Unmodified-Since holds', () => ({ 'If-Match': '"a"', ...tomorrow() })],
    ['If-Unmodified-Since is earlier', () => LONG_AGO],
    ['only If-Match holds', (etag) => ({ 'If-Match': etag, 'If-None-Match': '*' })],
  ])('answers 412 and writes nothing when %s', async (_, headers) => {
    const post = await service.create();
    expect((await send(post.id, headers(post.etag))).problem).toMatchObject(failed);
    const after = await service.get(post.path);
    expect([after.etag, after.json()]).toEqual([post.etag, post]);
  });

  it.each(['If-Match', 'If-None-Match'])(
    'answers 400 and writes nothing when %s is malformed',
    async (name) => {
      const post = await service.create();
      expect((await send(post.id, { [name]: '"a", *' })).problem).toMatchObject(malformed(name));
      expect((await service.get(post.path)).json()).toEqual(post);
    },
  );

  it.each<Fields>([{ 'If-Match': '"a"' }, { 'If-None-Match': '*' }, { 'If-Match': 'x' }])(
    'answers 404 for a post that does not exist, before it checks %j',
    async (headers) => {
      expect((await send(999_999, headers)).problem).toMatchObject({ status: 404, type: 'about:blank' });
    },
  );
});
