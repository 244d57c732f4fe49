import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** The media type of the response; `text/html` for a redirect to the HTML page, or else the status. */
async function typeOf(path: string, accept: string): Promise<string> {
  const { status, headers } = await service.get(path, { Accept: accept });
  if (status === 303) return 'text/html';
  return status === 200 ? headers['content-type']! : String(status);
}

const { path: POST } = await service.create();

// src/http/protocol/accept.spec.ts has all forms of Accept and Accept-Encoding.
describe('Accept', () => {
  it.each([
    [POST, '', 'application/json'],
    [POST, 'text/html, */*;q=0.1', 'text/html'],
    [POST, 'application/json;q=0', '406'],
    ['/', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html'],
    ['/posts/?limit=1', '*/*', 'application/json'],
    ['/posts/?limit=1', 'application/jsonl;q=0.5, */*;q=0.1', 'application/x-ndjson'],
    ['/posts/?limit=1', 'text/csv; charset=UTF-8', 'text/csv; charset=utf-8'],
    ['/posts/?limit=1', 'application/atom+xml', 'application/atom+xml'],
    ['/posts/?limit=1', 'text/*, text/csv;q=0', 'text/html'],
  ])('of %s as "%s" gets %s', async (path, accept, type) => {
    expect(await typeOf(path, accept)).toBe(type);
  });

  it('may be sent in several fields', async () => {
    const response = await service.get('/', { Accept: ['image/png', 'application/json'] });
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('does not apply to problems', async () => {
    const response = await service.get('/nothing', { Accept: 'image/png' });
    expect(response.problem).toMatchObject({ status: 404 });
  });

  it.each([
    ['GET', '/posts/', 'application/json, application/x-ndjson, text/csv, application/atom+xml, text/html'],
    ['GET', '/posts/1/', 'application/json, text/html'],
    ['GET', '/health/live', 'application/json'],
    ['GET', '/problems/', 'application/json, text/html'],
    ['POST', '/posts/', 'application/json'],
    ['PUT', '/posts/?id=1', 'application/json'],
  ])('that cannot be met gets the media types of %s %s', async (method, path, available) => {
    const { headers, problem } = await service.request(method, path, { headers: { Accept: 'image/png' } });
    expect(headers['vary']).toMatch(/^Accept, Accept-Encoding/);
    const errors = [expect.objectContaining({ code: 'not_acceptable', header: 'Accept' })];
    expect(problem).toMatchObject({ status: 406, detail: `Available here: ${available}.`, errors });
  });

  it.each(['text/plain', 'text/html'])('of %s is refused before anything is written', async (Accept) => {
    const post = await service.create();
    const list = '/posts/?limit=1000&ordering=id';
    const before = (await service.get(list)).text;
    const json = aPost({ title: 'New' });
    for (const [method, path] of [
      ['POST', '/posts/'],
      ['PUT', post.path],
      ['PUT', `/posts/?id=${post.id}`],
    ] as const)
      expect((await service.request(method, path, { headers: { Accept }, json })).status).toBe(406);
    expect((await service.delete(post.path, { Accept: 'text/plain' })).status).toBe(406);
    expect((await service.get(list)).text).toBe(before);
  });
});

describe('text/html', () => {
  it.each([
    ['/', '/docs/'],
    ['/posts/', '/docs/#/posts/listPosts'],
    ['/posts/?search=a%20b&limit=1', '/docs/?search=a%20b&limit=1#/posts/listPosts'],
    ['/posts/7/?a=b', '/docs/?id=7&a=b#/posts/getPost'],
  ])('redirects %s to %s, the matching operation of Swagger UI', async (path, target) => {
    const { status, headers } = await service.get(path, { Accept: 'text/html' });
    expect([status, headers['location']]).toEqual([303, service.baseUrl + target]);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: expect.stringMatching(/^Accept\b/) });
  });
});

describe('Accept-Encoding', () => {
  const long = aPost({ body: 'compress me, '.repeat(1_000) });

  it.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['', undefined],
  ])('"%s" gets %s', async (accepted, coding) => {
    const post = await service.create(long);
    const response = await service.get(post.path, { 'Accept-Encoding': accepted });
    expect(response.headers['content-encoding']).toBe(coding);
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
    expect(response.json()).toEqual(post);
    if (coding) expect(response.bytes.length).toBeLessThan(JSON.stringify(post).length / 10);
    const head = await service.request('HEAD', post.path, { headers: { 'Accept-Encoding': accepted } });
    expect(head.shown.headers).toEqual(response.shown.headers);
    expect(head.headers['content-length']).toBe(response.headers['content-length']);
  });

  it.each([
    [1024, undefined],
    [1025, 'gzip'],
  ])('of a response with %i bytes gets %s', async (bytes, coding) => {
    const { id } = await service.create();
    const short = { id, title: 'a', pub_date: '2026-11-20T14:40:00.000Z', body: '' };
    const body = 'x'.repeat(bytes - JSON.stringify(short).length);
    const headers = { 'Accept-Encoding': 'gzip' };
    const response = await service.put('/posts/', { ...short, body }, headers);
    expect([response.text.length, response.headers['content-encoding']]).toEqual([bytes, coding]);
  });

  it('also compresses lists, responses to writes, the OpenAPI document and long problems', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    const created = await service.post(long, headers);
    const { id } = created.json<PostJson>();
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    const refused = await service.post(unknown, headers);
    expect(refused.problem.errors).toHaveLength(52);
    const others = [`/posts/?id=${id}`, '/openapi.json'].map((path) => service.get(path, headers));
    for (const response of [created, refused, ...(await Promise.all(others))])
      expect(response.headers['content-encoding']).toBe('br');
  });

  it('gives each coding its own strong ETag, and If-Match accepts all of them', async () => {
    const post = await service.create(long);
    const tags: string[] = [];
    for (const coding of ['identity', 'gzip', 'br']) {
      const { etag } = await service.get(post.path, { 'Accept-Encoding': coding });
      const asked = { 'Accept-Encoding': coding, 'If-None-Match': etag };
      expect((await service.get(post.path, asked)).status).toBe(304);
      // An update without changes keeps the version.
      expect((await service.put(post.path, long, { 'If-Match': etag })).etag).toBe(post.etag);
      tags.push(etag);
    }
    expect(tags[0]).toBe(post.etag);
    expect(new Set(tags).size).toBe(3);
    const other = { 'Accept-Encoding': 'br', 'If-None-Match': post.etag };
    expect((await service.get(post.path, other)).status).toBe(200);
    await service.put(post.path, { ...long, title: 'New' });
    for (const tag of tags)
      expect((await service.put(post.path, long, { 'If-Match': tag })).status).toBe(412);
  });
});
