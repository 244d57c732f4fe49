import type { PostJson } from '../support/posts.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** The header fields of every representation of a post. */
function postHeaders(etag: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    vary: 'Accept, Accept-Encoding',
    etag,
  };
}

/** A write also understands `Prefer`. */
function writtenHeaders(etag: string): Record<string, string> {
  return { ...postHeaders(etag), vary: 'Accept, Accept-Encoding, Prefer' };
}

const unknownPost = (id: number) => ({
  type: 'about:blank',
  code: 'not-found',
  title: 'Not Found',
  status: 404,
  detail: `There is no post with the id ${id}.`,
});

describe('POST /posts/', () => {
  it('stores a post and answers 201 with it, its Location and its ETag', async () => {
    const response = await service.post({
      title: 'Hello',
      pub_date: '2026-11-20T14:40:00Z',
      body: 'The first post.',
    });
    const { id } = response.json<PostJson>();
    expect(response.shown).toEqual({
      status: 201,
      headers: { ...writtenHeaders(`"${id}-1"`), location: `${service.baseUrl}/posts/${id}/` },
      body: { id, title: 'Hello', pub_date: '2026-11-20T14:40:00.000Z', body: 'The first post.' },
    });
    expect((await service.get(response.headers['location']!)).text).toBe(response.text);
  });

  it('returns exactly four fields, in a fixed order', async () => {
    const { text } = await service.post({ body: 'c', pub_date: '2026-01-02', title: 'a' });
    expect(text).toMatch(/^\{"id":[1-9]\d*,"title":"a","pub_date":"2026-01-02T00:00:00\.000Z","body":"c"\}$/);
  });

  it('uses the current time when pub_date is missing', async () => {
    const before = Date.now();
    const { pub_date } = (await service.post({ title: 'a', body: '' })).json<PostJson>();
    expect(pub_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(pub_date)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(pub_date)).toBeLessThanOrEqual(Date.now());
  });

  it.each([[1], [null], ['x'], [{ a: 1 }]])(
    'ignores the id %j, because clients send posts as they read them',
    async (id) => {
      const { id: existing } = await service.create();
      const response = await service.post({ ...aPost(), id });
      expect(response.status).toBe(201);
      expect(response.json<PostJson>().id).toBe(existing + 1);
    },
  );

  it.each([
    [{}, ['pointer /title', 'pointer /body']],
    [{ title: null, body: null, pub_date: null }, ['pointer /title', 'pointer /pub_date', 'pointer /body']],
    [{ title: 42, body: true, pub_date: 1 }, ['pointer /title', 'pointer /pub_date', 'pointer /body']],
    [{ ...aPost(), Title: 'a', 'a/b~c': 1, '': 2 }, ['pointer /Title', 'pointer /a~1b~0c', 'pointer /']],
  ])('refuses %j and reports each fault', async (json, places) => {
    const response = await service.post(json);
    expect(response.status).toBe(400);
    expect(response.faultyPlaces.toSorted()).toEqual(places.toSorted());
  });

  it.each([
    ['"title": "a", "__proto__": {}, "constructor": 1', ['pointer /__proto__', 'pointer /constructor']],
    ['"__proto__": {"title": "x"}', ['pointer /__proto__', 'pointer /title']],
  ])(
    'refuses names of inherited JavaScript properties, and reads nothing from them: %s',
    async (members, places) => {
      const headers = { 'Content-Type': 'application/json' };
      const response = await service.request('POST', '/posts/', {
        body: `{"body": "b", ${members}}`,
        headers,
      });
      expect(response.status).toBe(400);
      expect(response.faultyPlaces).toEqual(places);
    },
  );
});

describe('GET /posts/{id}/', () => {
  it('returns the post', async () => {
    const post = await service.create({ title: 'Hello' });
    expect((await service.get(post.path)).shown).toEqual({
      status: 200,
      headers: postHeaders(`"${post.id}-1"`),
      body: { id: post.id, title: 'Hello', pub_date: '2026-11-20T14:40:00.000Z', body: 'A body.' },
    });
  });

  it('answers 404 for a post that never existed', async () => {
    const response = await service.get('/posts/9007199254740991/');
    expect(response.problem).toEqual(unknownPost(Number.MAX_SAFE_INTEGER));
  });
});

describe('PUT /posts/{id}/', () => {
  it('replaces the post and answers 200 with the stored post and its new ETag', async () => {
    const post = await service.create();
    const replacement = { title: 'New', pub_date: '2027-01-02T03:04:05.678Z', body: 'New body.' };
    const response = await service.put(post.path, replacement);
    expect(response.shown).toEqual({
      status: 200,
      headers: writtenHeaders(`"${post.id}-2"`),
      body: { id: post.id, ...replacement },
    });
    const stored = { ...response.shown, headers: postHeaders(`"${post.id}-2"`) };
    expect((await service.get(post.path)).shown).toEqual(stored);
  });

  it('keeps the stored date, to the microsecond, when pub_date is missing', async () => {
    const pub_date = '2001-02-03T04:05:06.789012Z';
    const post = await service.create({ pub_date });
    const response = await service.put(post.path, { title: 'New', body: '' });
    expect(response.json()).toEqual({ id: post.id, title: 'New', pub_date, body: '' });
  });

  it('accepts all fields that GET returned, including the id', async () => {
    const post = await service.create();
    const read = (await service.get(post.path)).json<PostJson>();
    const response = await service.put(post.path, { ...read, title: 'Changed' });
    expect(response.json()).toEqual({ ...read, title: 'Changed' });
  });

  it.each([
    [{ title: 'a' }, ['pointer /body']],
    [{ ...aPost(), pub_date: null, body: 7, x: 1 }, ['pointer /pub_date', 'pointer /body', 'pointer /x']],
  ])('refuses the invalid replacement %j and changes nothing', async (json, places) => {
    const post = await service.create();
    const response = await service.put(post.path, json);
    expect(response.status).toBe(400);
    expect(response.faultyPlaces.toSorted()).toEqual(places.toSorted());
    expect((await service.get(post.path)).json()).toEqual(post);
  });

  it('answers 404 for an unknown id, because only the service assigns ids', async () => {
    const { id } = await service.create();
    const response = await service.put(`/posts/${id + 1000}/`, aPost());
    expect(response.problem).toEqual(unknownPost(id + 1000));
    expect((await service.get(`/posts/${id + 1000}/`)).status).toBe(404);
  });
});

describe('DELETE /posts/{id}/', () => {
  it('answers 204 without a body, and 404 after that', async () => {
    const post = await service.create();
    expect((await service.delete(post.path)).shown).toEqual({ status: 204, headers: {} });
    expect((await service.delete(post.path)).problem).toEqual(unknownPost(post.id));
    expect((await service.get(post.path)).problem).toEqual(unknownPost(post.id));
    expect((await service.put(post.path, aPost())).problem).toEqual(unknownPost(post.id));
  });

  it('ignores a body', async () => {
    const post = await service.create();
    const sent = { body: 'not json', headers: { 'Content-Type': 'x/y' } };
    expect((await service.request('DELETE', post.path, sent)).status).toBe(204);
  });
});

describe('ids', () => {
  it('are never reused, even after the newest post is deleted', async () => {
    const first = await service.create();
    await service.delete(first.path);
    const second = await service.create();
    expect(second.id).toBeGreaterThan(first.id);
  });
});

describe('HEAD', () => {
  it.each(['/', '/posts/', '/posts/?limit=1', '/problems/', '/health/live', '/health/ready'])(
    'of %s answers as GET, without the body',
    async (path) => {
      const get = await service.get(path);
      const head = await service.request('HEAD', path);
      const { body: _body, ...shown } = get.shown;
      expect(head.shown).toEqual(shown);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    },
  );

  it('of a post answers as GET, without the body', async () => {
    const post = await service.create();
    const head = await service.request('HEAD', post.path);
    expect(head.shown).toEqual({ status: 200, headers: postHeaders(`"${post.id}-1"`) });
    expect(head.headers['content-length']).toBe(String(JSON.stringify(post).length));
  });

  it.each([
    ['/posts/0/', 404],
    ['/nothing', 404],
    ['/posts/?limit=0', 400],
  ])('of %s answers %i without a body', async (path, status) => {
    const { shown, bytes } = await service.request('HEAD', path);
    expect(shown).toEqual({
      status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    });
    expect(bytes).toHaveLength(0);
  });
});

describe('Prefer: return=minimal', () => {
  const minimal = { Prefer: 'return=minimal' };

  it('omits the body when a post is created', async () => {
    const { status, text, headers } = await service.post(aPost({ title: 'Minimal' }), minimal);
    expect([status, text, headers['content-length']]).toEqual([201, '', '0']);
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).toMatchObject({
      'preference-applied': 'return=minimal',
      'cache-control': 'no-cache',
      vary: 'Accept, Accept-Encoding, Prefer',
    });
    const stored = await service.get(headers['location']!);
    expect(stored.json()).toMatchObject({ title: 'Minimal' });
    expect(headers['etag']).toBe(stored.etag);
  });

  it.each(['/posts/{id}/', '/posts/?id={id}'])('answers 204 to PUT %s', async (template) => {
    const post = await service.create();
    const target = template.replace('{id}', String(post.id));
    const { shown } = await service.put(target, aPost({ title: 'Replaced' }), minimal);
    const stored = await service.get(post.path);
    expect(stored.json()).toMatchObject({ title: 'Replaced' });
    expect(shown).toEqual({
      status: 204,
      headers: {
        'preference-applied': 'return=minimal',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding, Prefer',
        etag: stored.etag,
      },
    });
  });

  it('omits the body for a large post and for an import', async () => {
    const large = await service.post({ title: 'Large', body: 'é'.repeat(600_000) }, minimal);
    expect([large.status, large.text]).toEqual([201, '']);
    const imported = await service.import('{"title":"Imported minimally","body":""}\n', minimal);
    expect([imported.status, imported.text]).toEqual([201, '']);
    expect((await service.get('/posts/?title=Imported+minimally')).json()).toHaveLength(1);
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
    const deleted = await service.delete(new URL(whole.headers['location']!).pathname, minimal);
    for (const { headers } of [refused, whole, deleted]) {
      expect(headers).not.toHaveProperty('preference-applied');
    }
  });
});

describe('GET /', () => {
  it('links to the posts and to the API description', async () => {
    const { shown } = await service.get('/');
    expect(shown).toEqual({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        etag: expect.any(String),
        link:
          `<${service.baseUrl}/openapi.json>; rel="service-desc"; type="application/json", ` +
          `<${service.baseUrl}/docs/>; rel="service-doc"; type="text/html", ` +
          `<${service.baseUrl}/posts/>; rel="alternate"; type="application/atom+xml"`,
      },
      body: { posts: `${service.baseUrl}/posts/` },
    });
  });
});

describe('GET /.well-known/api-catalog', () => {
  const PROFILE = 'profile="https://www.rfc-editor.org/info/rfc9727"';
  const path = '/.well-known/api-catalog';

  it('links to the API and its descriptions', async () => {
    const { baseUrl } = service;
    const { shown } = await service.get(path);
    expect(shown).toEqual({
      status: 200,
      headers: {
        'content-type': `application/linkset+json; ${PROFILE}`,
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding',
        etag: expect.any(String),
        link: `<${baseUrl}${path}>; rel="api-catalog"`,
      },
      body: {
        linkset: [
          { anchor: baseUrl + path, item: [{ href: `${baseUrl}/`, type: 'application/json' }] },
          {
            anchor: `${baseUrl}/`,
            item: [{ href: `${baseUrl}/posts/`, type: 'application/json' }],
            'service-desc': [
              { href: `${baseUrl}/openapi.json`, type: 'application/json' },
              { href: `${baseUrl}/openapi-client.json`, type: 'application/json' },
            ],
            'service-doc': [{ href: `${baseUrl}/docs/`, type: 'text/html' }],
          },
        ],
      },
    });
  });

  it('answers HEAD as GET, and 304 to the current entity tag', async () => {
    const { etag, headers } = await service.get(path, { Accept: `application/linkset+json; ${PROFILE}` });
    const head = await service.request('HEAD', path);
    expect([head.status, head.text, head.headers['link']]).toEqual([200, '', headers['link']]);
    expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(304);
  });
});

describe('X-Request-Id', () => {
  it('is kept when it is valid', async () => {
    const id = 'trace:1/2=3+4@host~5.6_7-8';
    expect((await service.get('/posts/', { 'X-Request-Id': id })).headers['x-request-id']).toBe(id);
    const { headers, text } = await service.get('/nothing', { 'X-Request-Id': id });
    expect(headers['x-request-id']).toBe(id);
    expect(JSON.parse(text)).toMatchObject({ request_id: id });
  });

  it.each([['a b'], ['<script>'], [['a', 'b']]])('is replaced when it is invalid: %j', async (id) => {
    const { headers } = await service.get('/posts/', { 'X-Request-Id': id });
    expect(headers['x-request-id']).toMatch(
      /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
  });
});

describe('a cookie or Basic authorization', () => {
  it('does not change the response', async () => {
    const post = await service.create();
    const cookies = { Cookie: 'session=1; admin=true', Authorization: 'Basic YWRtaW46YWRtaW4=' };
    for (const path of ['/', '/posts/', post.path, '/problems/']) {
      expect((await service.get(path, cookies)).shown).toEqual((await service.get(path)).shown);
    }
    expect((await service.delete(post.path, cookies)).status).toBe(204);
  });
});
