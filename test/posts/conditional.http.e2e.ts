import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const replacement = { title: 'New', pub_date: '2027-01-01T00:00:00.000Z', body: 'New body.' };
const failed = { status: 412, code: 'precondition-failed' };
const malformed = (header: string) => ({ status: 400, errors: [{ code: 'malformed', header }] });

describe('If-None-Match on a read', () => {
  it.each<[string, (etag: string) => string]>([
    ['the tag', (etag) => etag],
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

  it.each(['"a"', '', 'malformed'])('answers 200 to %s', async (field) => {
    const post = await service.create();
    const response = await service.get(post.path, { 'If-None-Match': field });
    expect([response.status, response.json()]).toEqual([200, post]);
  });
});

describe('If-Match on a read', () => {
  const notAsAskedFor = { ...failed, detail: 'The current representation does not match If-Match.' };
  it.each<[string, (etag: string) => string]>([
    ['the tag', (etag) => etag],
    ['the tag of another coding', (etag) => etag.replace(/"$/, '-gzip"')],
    ['a list with the tag', (etag) => `"a", ${etag}`],
    ['*', () => '*'],
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

const WRITES = [
  ['PUT', '/posts/{id}/'],
  ['PUT', '/posts/?id={id}'],
  ['DELETE', '/posts/{id}/'],
  ['DELETE', '/posts/?id={id}'],
] as const;

type Fields = Record<string, string | readonly string[]>;

const LONG_AGO = { 'If-Unmodified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' };
const tomorrow = () => ({ 'If-Unmodified-Since': new Date(Date.now() + 86_400_000).toUTCString() });

const send = ([method, template]: (typeof WRITES)[number], id: number, headers: Fields) =>
  service.request(method, template.replace('{id}', String(id)), {
    headers,
    ...(method === 'PUT' ? { json: replacement } : {}),
  });

describe('PUT or DELETE of a post, by path or query', () => {
  it.each<[string, (etag: string) => Fields]>([
    ['If-Match lists the tag', (etag) => ({ 'If-Match': `"a",${etag}, "b"` })],
    ['If-Match is sent twice', (etag) => ({ 'If-Match': ['"a"', etag] })],
    ['both preconditions hold', (etag) => ({ 'If-Match': etag, 'If-None-Match': '"a"' })],
    ['If-Match is the tag and If-Unmodified-Since is earlier', (etag) => ({ 'If-Match': etag, ...LONG_AGO })],
    ['If-Unmodified-Since is not an HTTP date', () => ({ 'If-Unmodified-Since': '1970-01-01T00:00:00Z' })],
    ['If-Modified-Since is the current time', () => ({ 'If-Modified-Since': new Date().toUTCString() })],
  ])('writes when %s', async (_, headers) => {
    for (const write of WRITES) {
      const post = await service.create();
      const { status } = await send(write, post.id, headers(post.etag));
      expect([...write, status]).toEqual([...write, write[0] === 'PUT' ? 200 : 204]);
    }
  });

  it.each<[string, (etag: string) => Fields]>([
    ['If-Match is another tag', () => ({ 'If-Match': '"a"' })],
    ['If-Match is the weak form of the tag', (etag) => ({ 'If-Match': `W/${etag}` })],
    ['If-Match is a tag with the same beginning', (etag) => ({ 'If-Match': `${etag.slice(0, -1)}0"` })],
    ['If-Match has an unknown content coding', (etag) => ({ 'If-Match': `${etag.slice(0, -1)}-zip"` })],
    ['If-None-Match is *', () => ({ 'If-None-Match': '*' })],
    ['If-None-Match is the weak form of the tag', (etag) => ({ 'If-None-Match': `W/${etag}` })],
    [
      'If-Match is another tag and If-Unmodified-Since is later',
      () => ({ 'If-Match': '"a"', ...tomorrow() }),
    ],
    ['If-Unmodified-Since is earlier', () => LONG_AGO],
    ['If-Match holds and If-None-Match does not', (etag) => ({ 'If-Match': etag, 'If-None-Match': '*' })],
  ])('answers 412 and writes nothing when %s', async (_, headers) => {
    const post = await service.create();
    for (const write of WRITES) {
      const { problem } = await send(write, post.id, headers(post.etag));
      expect([...write, problem]).toEqual([...write, expect.objectContaining(failed)]);
    }
    const after = await service.get(post.path);
    expect([after.etag, after.json()]).toEqual([post.etag, post]);
  });

  it.each(['W/a', '"a", *'])(
    'answers 400 and writes nothing when a field is malformed: %s',
    async (field) => {
      const post = await service.create();
      for (const write of WRITES) {
        for (const name of ['If-Match', 'If-None-Match']) {
          const { problem } = await send(write, post.id, { [name]: field });
          expect([...write, problem]).toEqual([...write, expect.objectContaining({ status: 400 })]);
          expect(problem).toMatchObject(malformed(name));
        }
      }
      expect((await service.get(post.path)).json()).toEqual(post);
    },
  );

  it('answers 404 for a post that does not exist, before it checks preconditions', async () => {
    const post = await service.create();
    await service.delete(post.path);
    const conditions: readonly Fields[] = [
      { 'If-Match': post.etag },
      { 'If-None-Match': '*' },
      { 'If-Match': 'x' },
    ];
    for (const write of WRITES) {
      for (const headers of conditions) {
        const { problem } = await send(write, post.id, headers);
        expect([...write, problem.status, problem.type]).toEqual([...write, 404, 'about:blank']);
      }
    }
  });
});
