import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const { path: POST } = await service.create();

// src/http/protocol/accept.spec.ts has all forms of Accept and Accept-Encoding.
describe('Accept', () => {
  it.each([
    [POST, '', 'application/json'],
    [POST, 'application/json;q=0', '406'],
    ['/', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'text/html'],
    ['/', ['image/png', 'application/json'], 'application/json'],
    ['/posts/?limit=1', 'text/csv; charset=UTF-8', 'text/csv; charset=utf-8'],
    ['/posts/?limit=1', 'application/atom+xml', 'application/atom+xml'],
    ['/nothing', 'image/png', '404'],
  ])('of %s as "%s" gets %s', async (path, accept, type) => {
    const { status, headers } = await service.get(path, { Accept: accept });
    // HTML is a redirect to the browsable form.
    const got = status === 303 ? 'text/html' : status === 200 ? headers['content-type'] : String(status);
    expect(got).toBe(type);
  });

  it.each([
    [
      'GET',
      '/posts/',
      'application/json, application/x-ndjson, text/csv, application/atom+xml, text/html',
      true,
    ],
    ['GET', '/health/live', 'application/json', false],
    ['PUT', '/posts/?id=1', 'application/json', false],
  ])('that cannot be met gets the media types of %s %s', async (method, path, available, takesPrefer) => {
    const { headers, problem } = await service.request(method, path, { headers: { Accept: 'image/png' } });
    expect(headers['vary']).toBe(`Accept, Accept-Encoding${takesPrefer ? ', Prefer' : ''}`);
    const errors = [expect.objectContaining({ code: 'not_acceptable', header: 'Accept' })];
    expect(problem).toMatchObject({ status: 406, detail: `Available here: ${available}.`, errors });
  });

  it('that cannot be met is refused before anything is written', async () => {
    const post = await service.create();
    const before = await service.count();
    const options = { headers: { Accept: 'text/html' }, json: aPost({ title: 'New' }) };
    for (const [method, path] of [
      ['POST', '/posts/'],
      ['PUT', post.path],
      ['DELETE', post.path],
    ] as const)
      expect((await service.request(method, path, options)).status).toBe(406);
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
