import { aPost, type PostJson } from '../support/posts.js';
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

/** A write also understands `Prefer`. */
const writtenHeaders = (etag: string) => ({ ...postHeaders(etag), vary: 'Accept, Accept-Encoding, Prefer' });

const unknownPost = (id: number) => ({
  type: 'about:blank',
  code: 'not-found',
  title: 'Not Found',
  status: 404,
  detail: `There is no post with the id ${id}.`,
});

// same-responses.postgres.e2e.ts shows that both databases respond alike.
describe('POST /posts/', () => {
  it('stores a post and answers 201 with it, its Location and its ETag', async () => {
    const sent = { body: 'The first post.', pub_date: '2026-11-20T14:40:00Z', title: 'Hello' };
    const response = await service.post(sent);
    const { id } = response.json<PostJson>();
    const { status, headers } = response.shown;
    const location = `${baseUrl}/posts/${id}/`;
    expect([status, headers]).toEqual([201, { ...writtenHeaders(`"${id}-1"`), location }]);
    expect(response.text).toBe(
      `{"id":${id},"title":"Hello","pub_date":"2026-11-20T14:40:00.000Z","body":"The first post."}`,
    );
    const stored = await service.get(location);
    expect(stored.shown).toMatchObject({ status: 200, headers: postHeaders(`"${id}-1"`) });
    expect(stored.text).toBe(response.text);
  });

  it('uses the current time when pub_date is missing', async () => {
    const before = Date.now();
    const { pub_date } = (await service.post({ title: 'a', body: '' })).json<PostJson>();
    expect(pub_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(pub_date)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(pub_date)).toBeLessThanOrEqual(Date.now());
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
  it('replaces the post and answers 200 with the stored post and its new ETag', async () => {
    const post = await service.create();
    const replacement = { title: 'New', pub_date: '2027-01-02T03:04:05.678Z', body: 'New body.' };
    const response = await service.put(post.path, replacement);
    const body = { id: post.id, ...replacement };
    expect(response.shown).toEqual({ status: 200, headers: writtenHeaders(`"${post.id}-2"`), body });
    const stored = { status: 200, headers: postHeaders(`"${post.id}-2"`), body };
    expect((await service.get(post.path)).shown).toEqual(stored);
  });

  it('keeps the stored date, to the microsecond, when pub_date is missing', async () => {
    const pub_date = '2001-02-03T04:05:06.789012Z';
    const post = await service.create({ pub_date });
    const response = await service.put(post.path, { title: 'New', body: '' });
    expect(response.json()).toEqual({ id: post.id, title: 'New', pub_date, body: '' });
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
    expect((await service.delete(path)).problem).toEqual(unknownPost(id));
    expect((await service.get(path)).problem).toEqual(unknownPost(id));
    expect((await service.put(path, aPost())).problem).toEqual(unknownPost(id));
    // Only the service assigns ids, and never again the one of a deleted post.
    expect((await service.create()).id).toBe(id + 1);
  });
});

describe('HEAD', () => {
  it.each(['/', '/posts/?limit=1', '/posts/1/', '/.well-known/api-catalog', '/problems/', '/health/ready'])(
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

describe('Prefer: return=minimal', () => {
  const minimal = { Prefer: 'return=minimal' };
  const applied = {
    'preference-applied': 'return=minimal',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Encoding, Prefer',
  };

  it('omits the body of a created post, small or large, and of an import', async () => {
    const { shown, headers } = await service.post(aPost({ title: 'Minimal' }), minimal);
    const { location = '' } = headers;
    const stored = await service.get(location);
    expect(shown).toEqual({ status: 201, headers: { ...applied, location, etag: stored.etag } });
    expect(headers['content-length']).toBe('0');
    expect(stored.json()).toMatchObject({ title: 'Minimal' });
    const large = await service.post({ title: 'Large', body: 'é'.repeat(600_000) }, minimal);
    const imported = await service.import('{"title":"Imported minimally","body":""}\n', minimal);
    expect([large, imported].map(({ status, text }) => [status, text])).toEqual([
      [201, ''],
      [201, ''],
    ]);
    expect((await service.get('/posts/?title=Imported+minimally')).json()).toHaveLength(1);
  });

  it.each(['/posts/{id}/', '/posts/?id={id}'])('answers 204 to PUT %s', async (template) => {
    const post = await service.create();
    const target = template.replace('{id}', String(post.id));
    const { shown } = await service.put(target, aPost({ title: 'Replaced' }), minimal);
    const stored = await service.get(post.path);
    expect(stored.json()).toMatchObject({ title: 'Replaced' });
    expect(shown).toEqual({ status: 204, headers: { ...applied, etag: stored.etag } });
  });

  it('combines with count=exact; each is applied only where it has an effect', async () => {
    const both = { Prefer: 'count=exact, return=minimal' };
    const list = await service.get('/posts/?limit=1', both);
    expect(list.headers['preference-applied']).toBe('count=exact');
    expect(list.json()).toHaveLength(1);
    const stored = await service.post(aPost(), both);
    expect([stored.text, stored.headers['preference-applied']]).toEqual(['', 'return=minimal']);
  });

  it('does not apply to errors, to DELETE, or after return=representation', async () => {
    const refused = await service.post({ title: '' }, minimal);
    expect(refused.problem.status).toBe(400);
    const whole = await service.post(aPost(), { Prefer: 'return=representation, return=minimal' });
    expect(whole.json()).toMatchObject(aPost());
    const deleted = await service.delete(whole.headers['location']!, minimal);
    for (const { headers } of [refused, whole, deleted]) {
      expect(headers).not.toHaveProperty('preference-applied');
    }
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
      `<${baseUrl}/docs/>; rel="service-doc"; type="text/html", ` +
      `<${baseUrl}/posts/>; rel="alternate"; type="application/atom+xml"`;
    expect((await service.get('/')).shown).toEqual(
      shownWith({ 'content-type': 'application/json', link }, { posts: `${baseUrl}/posts/` }),
    );
  });

  it('of /.well-known/api-catalog links to the API and its descriptions, and honours its entity tag', async () => {
    const path = '/.well-known/api-catalog';
    const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
    const { shown, etag } = await service.get(path, { Accept: type });
    const [json, html] = ['application/json', 'text/html'];
    const linkset = [
      { anchor: baseUrl + path, item: [{ href: `${baseUrl}/`, type: json }] },
      {
        anchor: `${baseUrl}/`,
        item: [{ href: `${baseUrl}/posts/`, type: json }],
        'service-desc': ['/openapi.json', '/openapi-client.json'].map((each) => ({
          href: baseUrl + each,
          type: json,
        })),
        'service-doc': [{ href: `${baseUrl}/docs/`, type: html }],
      },
    ];
    const link = `<${baseUrl}${path}>; rel="api-catalog"`;
    expect(shown).toEqual(shownWith({ 'content-type': type, link }, { linkset }));
    expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(304);
  });
});

// src/http/request/request-context.spec.ts has all forms.
describe('X-Request-Id', () => {
  it('is kept when it is valid, and replaced when it is not', async () => {
    const idOf = async (path: string, id: string | string[]) =>
      (await service.get(path, { 'X-Request-Id': id })).headers['x-request-id'];
    for (const path of ['/posts/', '/nothing']) expect(await idOf(path, 'trace:1/2')).toBe('trace:1/2');
    for (const id of ['<script>', ['a', 'b']]) expect(await idOf('/posts/', id)).toMatch(/^[\da-f-]{36}$/);
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
