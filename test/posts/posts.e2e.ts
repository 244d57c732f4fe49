import { jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { PostWritesRepository } from '../../src/posts/writes/post-writes.repository.js';
import { aPost, linkToFeed, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();
const { baseUrl } = service;

/** The header fields of every representation of a post. */
const postHeaders = (etag: string) => ({
  'content-type': 'application/json',
  'cache-control': 'no-cache',
  vary: 'Accept, Accept-Encoding',
  etag,
});

const unknownPost = (id: number) => ({
  type: 'about:blank',
  code: 'not-found',
  title: 'Not Found',
  status: 404,
  detail: `There is no post with the id ${id}.`,
});

describe('POST /posts/', () => {
  it('stores a post and answers 201 with it, its Location and its ETag', async () => {
    const sent = { body: 'The first post.', pub_date: '2026-11-20T14:40:00Z', title: 'Hello' };
    const response = await service.post(sent);
    const { id } = response.json<PostJson>();
    const { status, headers } = response.shown;
    const location = `${baseUrl}/posts/${id}/`;
    expect([status, headers]).toEqual([201, { ...postHeaders(`"${id}-1"`), location }]);
    expect(response.text).toBe(
      `{"id":${id},"title":"Hello","pub_date":"2026-11-20T14:40:00.000Z","body":"The first post."}`,
    );
    const stored = await service.get(location);
    expect(stored.shown).toMatchObject({ status: 200, headers: postHeaders(`"${id}-1"`) });
    expect(stored.text).toBe(response.text);
  });

  it('uses the current time when pub_date is missing', async () => {
    const before = new Date().toISOString();
    const json = { title: 'a', body: '' };
    // In a form, an empty field counts as not sent.
    for (const sent of [{ json }, { form: { ...json, id: '', pub_date: '' } }]) {
      const { pub_date } = (await service.request('POST', '/posts/', sent)).json<PostJson>();
      expect(pub_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect([before <= pub_date, pub_date <= new Date().toISOString()]).toEqual([true, true]);
    }
  });

  it.each(['x', { a: 1 }])('ignores the id %j, because clients send posts as they read them', async (id) => {
    const { id: existing } = await service.create();
    expect((await service.post({ ...aPost(), id })).json()).toEqual({ ...aPost(), id: existing + 1 });
  });

  it('refuses names of inherited JavaScript properties', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"body": "b", "__proto__": {"title": "x"}, "constructor": 1}';
    const { faultyPlaces } = await service.request('POST', '/posts/', { body, headers });
    expect(faultyPlaces).toEqual(['pointer /__proto__', 'pointer /constructor', 'pointer /title']);
  });
});

describe('PUT /posts/{id}/', () => {
  it('answers with its own post, also beside others that arrive in another order', async () => {
    const posts = (await service.createAll(Array.from({ length: 10 }, () => ({})))).toReversed();
    const unlock = await service.database.lock();
    const replacing = posts.map(({ path, id }) => service.put(path, aPost({ title: `new ${id}` })));
    await service.untilInFlight(10);
    await service.get('/health/live');
    await unlock();
    const shown = (await Promise.all(replacing)).map((response) => response.json<PostJson>());
    expect(shown.map(({ id, title }) => [id, title])).toEqual(posts.map(({ id }) => [id, `new ${id}`]));
  });

  it('replaces the post and answers 200 with the stored post and its new ETag', async () => {
    const post = await service.create();
    const replacement = aPost({ title: 'New', pub_date: '2027-01-02T03:04:05.678Z', body: 'New body.' });
    const response = await service.put(post.path, replacement);
    const body = { id: post.id, ...replacement };
    expect(response.shown).toEqual({ status: 200, headers: postHeaders(`"${post.id}-2"`), body });
    const stored = { status: 200, headers: postHeaders(`"${post.id}-2"`), body };
    expect((await service.get(post.path)).shown).toEqual(stored);
  });

  it('keeps the stored date, to the microsecond, when pub_date is missing', async () => {
    const pub_date = '2001-02-03T04:05:06.789012Z';
    const post = await service.create({ pub_date });
    const response = await service.put(post.path, { title: 'New', body: '' });
    expect(response.json()).toEqual({ ...post, title: 'New', body: '' });
  });

  it('changes nothing when the replacement is invalid', async () => {
    const post = await service.create();
    expect((await service.put(post.path, { ...aPost(), body: 7 })).faultyPlaces).toEqual(['pointer /body']);
    expect((await service.get(post.path)).json()).toEqual(post);
  });
});

describe('DELETE /posts/{id}/', () => {
  it('answers 204 without a body, and then the post does not exist', async () => {
    const { id, path } = await service.create();
    expect((await service.delete(path)).shown).toEqual({ status: 204, headers: {} });
    // An id that does not exist costs no transaction.
    const change = jest.spyOn(service.app.get(PostWritesRepository), 'change');
    expect((await service.delete(path)).problem).toEqual(unknownPost(id));
    expect(change).not.toHaveBeenCalled();
    change.mockRestore();
    expect((await service.get(path)).problem).toEqual(unknownPost(id));
    expect((await service.put(path, aPost())).problem).toEqual(unknownPost(id));
    // Only the service assigns ids, and never again the one of a deleted post.
    expect((await service.create()).id).toBe(id + 1);
  });
});

describe('HEAD', () => {
  it.each(['/', '/posts/?limit=1', '/posts/1/', '/problems/', '/health/ready'])(
    'of %s answers as GET, without the body',
    async (path) => {
      await service.create();
      const get = await service.get(path);
      const head = await service.request('HEAD', path);
      const { body: _body, ...shown } = get.shown;
      expect(head.shown).toEqual(shown);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    },
  );

  it('of an unknown post answers 404 without a body', async () => {
    const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
    expect((await service.request('HEAD', '/posts/0/')).shown).toEqual({ status: 404, headers });
  });
});

describe('GET of posts that do not exist', () => {
  it('shares queries, as that of others does', async () => {
    const { reader } = service.app.get(Database);
    const all = reader.all.bind(reader);
    let goOn!: () => void;
    const areAllHere = new Promise<void>((resolve) => (goOn = resolve));
    const read = jest.spyOn(reader, 'all').mockImplementation(async (query, values) => {
      await areAllHere;
      return all(query, values);
    });
    const requests = Array.from({ length: 40 }, (_, index) => service.get(`/posts/${1_000_000 + index}/`));
    await service.untilInFlight(requests.length);
    goOn();
    for (const { status } of await Promise.all(requests)) expect(status).toBe(404);
    expect(read.mock.calls.length).toBeLessThan(10);
    read.mockRestore();
  });
});

describe('GET', () => {
  const shownWith = (headers: object, body: object) => ({
    status: 200,
    headers: {
      'cache-control': 'no-cache',
      vary: 'Accept, Accept-Encoding',
      etag: expect.any(String),
      ...headers,
    },
    body,
  });

  it('of / links to the posts and to the API description', async () => {
    const link =
      `<${baseUrl}/openapi.json>; rel="service-desc"; type="application/json", ` +
      `<${baseUrl}/docs/>; rel="service-doc"; type="text/html"${linkToFeed(`${baseUrl}/posts/`)}`;
    expect((await service.get('/')).shown).toEqual(
      shownWith({ 'content-type': 'application/json', link }, { posts: `${baseUrl}/posts/` }),
    );
  });
});

describe('X-Request-Id', () => {
  it('is kept when it is valid, and replaced when it is not', async () => {
    const idOf = async (path: string, id: string | string[]) =>
      (await service.get(path, { 'X-Request-Id': id })).headers['x-request-id'];
    for (const path of ['/posts/', '/nothing'])
      for (const id of ['A-z_0.9~:=+/@', 'x'.repeat(128)]) expect(await idOf(path, id)).toBe(id);
    for (const id of ['', 'a b', 'x'.repeat(129), 'é', '<script>', ['a', 'b']])
      expect(await idOf('/posts/', id)).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
  });
});

describe('a cookie or Basic authorization', () => {
  it('does not change the response', async () => {
    const post = await service.create();
    const cookies = { Cookie: 'session=1; admin=true', Authorization: 'Basic YWRtaW46YWRtaW4=' };
    for (const path of ['/', '/posts/', post.path, '/problems/'])
      expect((await service.get(path, cookies)).shown).toEqual((await service.get(path)).shown);
    expect((await service.delete(post.path, cookies)).status).toBe(204);
  });
});
