import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** The media type of the response; `text/html` for a redirect to the HTML page, or else the status. */
async function typeOf(path: string, accept: string): Promise<string> {
  const { status, headers } = await service.get(path, { Accept: accept });
  if (status === 303) return 'text/html';
  return status === 200 ? headers['content-type']! : String(status);
}

describe('Accept', () => {
  it.each([
    ['', 'application/json'],
    ['application/json; indent=2', 'application/json'],
    ['text/html, */*;q=0.1', 'text/html'],
    ['application/json;q=0', '406'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', 'text/html'],
  ])('"%s" gets %s', async (accept, type) => {
    const post = await service.create();
    expect(await typeOf(post.path, accept)).toBe(type);
    expect(await typeOf('/', accept)).toBe(type);
  });

  it.each([
    ['*/*', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/jsonl;q=0.5, */*;q=0.1', 'application/x-ndjson'],
    ['text/csv; charset=UTF-8', 'text/csv; charset=utf-8'],
    ['application/atom+xml', 'application/atom+xml'],
    ['text/*, text/csv;q=0', 'text/html'],
    ['text/csv; header=absent', '406'],
  ])('"%s" of a list gets %s', async (accept, type) => {
    expect(await typeOf('/posts/?limit=1', accept)).toBe(type);
  });

  it.each(['application/x-ndjson', 'text/csv', 'application/atom+xml'])(
    '%s is for lists only',
    async (accept) => {
      const post = await service.create();
      expect(await typeOf(post.path, accept)).toBe('406');
      expect(await typeOf('/', accept)).toBe('406');
    },
  );

  it('may be sent in several fields', async () => {
    const response = await service.get('/', { Accept: ['image/png', 'application/json'] });
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('does not apply to problems', async () => {
    const response = await service.get('/nothing', { Accept: 'image/png' });
    expect(response.problem).toMatchObject({ status: 404 });
  });

  it.each([
    ['GET', '/', ['application/json', 'text/html']],
    ['GET', '/posts/1/', ['application/json', 'text/html']],
    ['GET', '/health/live', ['application/json']],
    ['GET', '/problems/', ['application/json', 'text/html']],
    ['POST', '/posts/', ['application/json']],
    ['PUT', '/posts/1/', ['application/json']],
    ['PUT', '/posts/?id=1', ['application/json']],
  ])('that cannot be met gets the media types of %s %s', async (method, path, available) => {
    const response = await service.request(method, path, { headers: { Accept: 'image/png' } });
    expect(response.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(response.problem).toMatchObject({
      status: 406,
      detail: `Available here: ${available.join(', ')}.`,
    });
    expect(response.problem.errors).toMatchObject([{ code: 'not_acceptable', header: 'Accept' }]);
  });

  it('that cannot be met is refused before anything is written', async () => {
    const post = await service.create();
    const before = (await service.get('/posts/?limit=1000&ordering=id')).text;
    const headers = { Accept: 'text/plain' };
    expect((await service.post(aPost(), headers)).status).toBe(406);
    expect((await service.put(post.path, aPost({ title: 'New' }), headers)).status).toBe(406);
    expect((await service.put(`/posts/?id=${post.id}`, aPost({ title: 'New' }), headers)).status).toBe(406);
    expect((await service.delete(post.path, headers)).status).toBe(406);
    expect((await service.delete(`/posts/?id=${post.id}`, headers)).status).toBe(406);
    expect((await service.get('/posts/?limit=1000&ordering=id')).text).toBe(before);
  });

  it('of HTML is refused for writes', async () => {
    const post = await service.create();
    expect((await service.post(aPost(), { Accept: 'text/html' })).status).toBe(406);
    expect((await service.put(post.path, aPost(), { Accept: 'text/html' })).status).toBe(406);
  });
});

describe('text/html', () => {
  it.each([
    ['/', '/docs/'],
    ['/posts/', '/docs/#/posts/listPosts'],
    ['/posts/?search=a%20b&limit=1', '/docs/?search=a%20b&limit=1#/posts/listPosts'],
    ['/posts/7/?a=b', '/docs/?id=7&a=b#/posts/getPost'],
  ])('redirects %s to %s, the matching operation of Swagger UI', async (path, target) => {
    const response = await service.get(path, { Accept: 'text/html' });
    expect(response.shown).toEqual({
      status: 303,
      headers: {
        location: service.baseUrl + target,
        'cache-control': 'no-cache',
        vary: expect.stringMatching(/^Accept\b/),
      },
    });
  });
});

describe('Accept-Encoding', () => {
  const long = aPost({ body: 'compress me, '.repeat(1_000) });

  it.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['', undefined],
  ])('"%s" gets %s', async (accepted, coding) => {
    const post = await service.create(long);
    const response = await service.get(post.path, { 'Accept-Encoding': accepted });
    expect(response.headers['content-encoding']).toBe(coding);
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
    expect(response.headers['vary']).toBe('Accept, Accept-Encoding');
    expect(response.json()).toEqual(post);
    if (coding) expect(response.bytes.length).toBeLessThan(JSON.stringify(post).length / 10);
  });

  it('does not compress a response of up to 1 KiB', async () => {
    const short = await service.create({ title: 'a', body: '' });
    const overhead = JSON.stringify(short).length;
    for (const [bytes, coding] of [
      [1024, undefined],
      [1025, 'gzip'],
    ] as const) {
      const post = await service.create({ title: 'a', body: 'x'.repeat(bytes - overhead) });
      const response = await service.get(post.path, { 'Accept-Encoding': 'gzip' });
      expect([response.text.length, response.headers['content-encoding']]).toEqual([bytes, coding]);
    }
  });

  it('also compresses lists, responses to writes, the OpenAPI document and long problems', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    const created = await service.post(long, headers);
    expect(created.headers['content-encoding']).toBe('br');
    expect(created.json()).toMatchObject({ body: long.body });
    const post = created.json<PostJson>();
    expect((await service.put(`/posts/${post.id}/`, long, headers)).headers['content-encoding']).toBe('br');
    expect((await service.get(`/posts/?id=${post.id}`, headers)).headers['content-encoding']).toBe('br');
    expect((await service.get('/openapi.json', headers)).headers['content-encoding']).toBe('br');

    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    const problem = await service.post(unknown, headers);
    expect(problem.headers['content-encoding']).toBe('br');
    expect(problem.problem.errors).toHaveLength(52);
  });

  it('gives HEAD the header fields of GET', async () => {
    const post = await service.create(long);
    const headers = { 'Accept-Encoding': 'gzip' };
    const head = await service.request('HEAD', post.path, { headers });
    const get = await service.get(post.path, headers);
    expect(head.shown.headers).toEqual(get.shown.headers);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
  });

  it('gives each coding its own strong ETag, and If-Match accepts all of them', async () => {
    const post = await service.create(long);
    const tags = new Map<string, string>();
    for (const coding of ['identity', 'gzip', 'br']) {
      const response = await service.get(post.path, { 'Accept-Encoding': coding });
      tags.set(coding, response.etag);
      const again = await service.get(post.path, {
        'Accept-Encoding': coding,
        'If-None-Match': response.etag,
      });
      expect([again.status, again.etag]).toEqual([304, response.etag]);
    }
    expect(new Set(tags.values()).size).toBe(3);
    expect(tags.get('identity')).toBe(post.etag);

    // An update without changes keeps the version, so each tag can be tried on it.
    for (const tag of tags.values()) {
      const response = await service.put(post.path, long, { 'If-Match': tag });
      expect([response.status, response.etag]).toEqual([200, post.etag]);
    }
    await service.put(post.path, { ...long, title: 'New' });
    for (const tag of tags.values()) {
      expect((await service.put(post.path, long, { 'If-Match': tag })).status).toBe(412);
    }
  });

  it('does not answer 304 to the ETag of another coding', async () => {
    const post = await service.create(long);
    const response = await service.get(post.path, { 'Accept-Encoding': 'br', 'If-None-Match': post.etag });
    expect(response.status).toBe(200);
  });
});
