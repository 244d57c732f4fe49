import { aPost, LIST_TYPES } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const { path: POST } = await service.create();

const LIST = '/posts/?limit=1';
const JSON_TYPE = 'application/json';
const CSV = 'text/csv; charset=utf-8';

// A list has JSON, NDJSON, CSV and others, and HTML last, in this order; HTML is a redirect.
describe('Accept', () => {
  it.each([
    ['/', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html'],
    ['/', ['image/png', 'application/json'], JSON_TYPE],
    ['/nothing', 'image/png', '404'],
    [POST, '', JSON_TYPE],
    [POST, 'application/json;q=0', '406'],
    [LIST, ' , ', JSON_TYPE],
    [LIST, 'image/avif, */*;q=0.8', JSON_TYPE],
    [LIST, 'application/jsonl', 'application/x-ndjson'],
    [LIST, 'Text/CSV', CSV],
    [LIST, 'text/csv; charset=UTF-8', CSV],
    [LIST, 'text/csv;q=0.5, text/html;q=0.501', 'text/html'],
    [LIST, 'text/html, text/csv', 'text/html'],
    [LIST, '*/*, text/csv', CSV],
    [LIST, 'application/json2, text/csv', CSV],
    [LIST, 'application/json;q=0, */*', 'application/x-ndjson'],
    [LIST, '*/*, application/*;q=0.000', CSV],
    [LIST, 'text/*;q=0.9, text/csv;q=0.1', 'text/html'],
    [LIST, '*/*;q=0.9, application/*;q=0.1', CSV],
    [LIST, 'application/json;charset=utf-8', JSON_TYPE],
    [LIST, 'text/csv; indent=2; x="a, b;q=0"', CSV],
    // Old Java clients.
    [LIST, 'image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE],
    [LIST, '*; q=.2', JSON_TYPE],
    [LIST, 'text/csv; q=.1, application/x-ndjson; q=.2', 'application/x-ndjson'],
    [LIST, 'application/json;q=high', JSON_TYPE],
    [LIST, 'text/csv;q=, application/json;q=0.9', CSV],
    [LIST, 'application/jso', '406'],
    [LIST, 'image/*', '406'],
    [LIST, 'application/json;q=0;indent=2', '406'],
    [LIST, '*/*;q=0', '406'],
    [LIST, '*;q=0', '406'],
    [LIST, 'json', '406'],
  ])('of %s as "%s" gets %s', async (path, accept, type) => {
    const { status, headers } = await service.get(path, { Accept: accept });
    const got = status === 303 ? 'text/html' : status === 200 ? headers['content-type'] : String(status);
    expect(got).toBe(type);
  });

  const OF_A_LIST = `, ${[...LIST_TYPES.slice(1), 'text/html', 'text/event-stream'].join(', ')}`;

  it.each([
    ['GET', '/posts/', OF_A_LIST, ', Prefer'],
    ['GET', '/health/live', '', ''],
    ['PUT', '/posts/?id=1', '', ''],
  ])('that cannot be met gets the media types of %s %s', async (method, path, others, prefer) => {
    const { headers, problem } = await service.request(method, path, { headers: { Accept: 'image/png' } });
    expect(headers['vary']).toBe(`Accept, Accept-Encoding${prefer}`);
    const errors = [expect.objectContaining({ code: 'not_acceptable', header: 'Accept' })];
    expect(problem).toMatchObject({ status: 406, detail: `Available here: ${JSON_TYPE}${others}.`, errors });
  });

  it('that cannot be met is refused before anything is written', async () => {
    const post = await service.create();
    const before = await service.count();
    const options = { headers: { Accept: 'text/html' }, json: aPost({ title: 'New' }) };
    for (const line of ['POST /posts/', `PUT ${post.path}`, `DELETE ${post.path}`]) {
      const [method, path] = line.split(' ') as [string, string];
      expect((await service.request(method, path, options)).status).toBe(406);
    }
    expect([await service.count(), (await service.get(post.path)).json()]).toEqual([before, post]);
  });
});

describe('text/html', () => {
  it.each([
    ['/', '/docs/', ''],
    ['/posts/?search=a%20b&limit=1', '/docs/?search=a%20b&limit=1#/posts/listPosts', ', Prefer'],
    ['/posts/7/?a=b', '/docs/?id=7&a=b#/posts/getPost', ''],
  ])('redirects %s to %s, the matching operation of Swagger UI', async (path, target, prefer) => {
    const { status, headers } = await service.get(path, { Accept: 'text/html' });
    expect([status, headers['location']]).toEqual([303, service.baseUrl + target]);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: `Accept, Accept-Encoding${prefer}` });
  });
});

const long = aPost({ body: 'compress me, '.repeat(1_000) });
const LONG = await service.create(long);

describe('Accept-Encoding', () => {
  it.each([
    ['gzip, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['gzip;q=0.7,br;q=0.7', 'br'],
    ['*', 'br'],
    ['br;q=0, *;q=0.5', 'gzip'],
    ['gzip, *;q=0.5', 'gzip'],
    ['*;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['br;q=.1, gzip;q=.2', 'gzip'],
  ])('"%s" gets %s', async (accepted, coding) => {
    const response = await service.get(LONG.path, { 'Accept-Encoding': accepted });
    expect(response.headers['content-encoding']).toBe(coding);
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
    expect(response.json()).toEqual(LONG);
    if (coding) expect(response.bytes.length).toBeLessThan(JSON.stringify(LONG).length / 10);
    const head = await service.request('HEAD', LONG.path, { headers: { 'Accept-Encoding': accepted } });
    expect(head.shown.headers).toEqual(response.shown.headers);
    expect(head.headers['content-length']).toBe(response.headers['content-length']);
  });

  it.each([
    [1024, undefined],
    [1025, 'gzip'],
  ])('of a response with %i bytes gets %s', async (bytes, coding) => {
    const post = await service.create({ body: '' });
    const body = 'x'.repeat(bytes - JSON.stringify(post).length);
    const headers = { 'Accept-Encoding': 'gzip' };
    const response = await service.put(post.path, { ...post, body }, headers);
    expect([response.text.length, response.headers['content-encoding']]).toEqual([bytes, coding]);
  });

  it('also compresses lists, responses to writes, the OpenAPI document and long problems', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 1]));
    const responses = [await service.post(long, headers), await service.post(unknown, headers)];
    for (const path of ['/posts/', '/openapi.json']) responses.push(await service.get(path, headers));
    const found = responses.map((each) => `${each.status} ${each.headers['content-encoding']}`);
    expect(found).toEqual(['201 br', '400 br', '200 br', '200 br']);
  });

  it('gives each coding its own strong ETag, and If-Match accepts all of them', async () => {
    const post = await service.create(long);
    const tags: string[] = [];
    for (const coding of ['identity', 'gzip', 'br']) {
      const { etag } = await service.get(post.path, { 'Accept-Encoding': coding });
      const asked = { 'Accept-Encoding': coding, 'If-None-Match': etag };
      expect((await service.get(post.path, asked)).status).toBe(304);
      // An update without changes keeps the version. nginx makes the tags of what it compresses weak.
      for (const tag of [etag, `W/${etag}`])
        expect((await service.put(post.path, long, { 'If-Match': tag })).etag).toBe(post.etag);
      tags.push(etag);
    }
    expect([tags[0], new Set(tags).size]).toEqual([post.etag, 3]);
    await service.put(post.path, { ...long, title: 'New' });
    for (const tag of tags)
      expect((await service.put(post.path, long, { 'If-Match': tag })).status).toBe(412);
  });
});
