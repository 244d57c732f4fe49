import { parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const notFound = {
  type: 'about:blank',
  code: 'not-found',
  title: 'Not Found',
  status: 404,
  detail: 'There is nothing at this path.',
};

const COLLECTION = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';
const ONE = 'GET, HEAD, PUT, DELETE, OPTIONS';
const READ_ONLY = 'GET, HEAD, OPTIONS';

describe('a path without its trailing slash', () => {
  it.each([
    ['GET', '/posts', '/posts/'],
    ['PATCH', '/posts', '/posts/'],
    ['HEAD', '/posts?', '/posts/'],
    ['GET', '/posts?title=a%20b%2Fc+d&&x=/b?c', '/posts/?title=a%20b%2Fc+d&&x=/b?c'],
    ['PUT', '/posts/7?x=1', '/posts/7/?x=1'],
    ['GET', '/docs', '/docs/'],
    ['GET', '/admin', '/admin/'],
  ])('is redirected with 308: %s %s', async (method, path, location) => {
    const headers = { location: service.baseUrl + location, 'cache-control': 'no-cache' };
    expect((await service.request(method, path)).shown).toEqual({ status: 308, headers });
  });

  it('keeps method and body in the redirect', async () => {
    const post = await service.create();
    const replacement = { title: 'New', body: 'New body.' };
    const redirect = await service.put(`/posts/${post.id}`, replacement);
    expect(redirect.status).toBe(308);
    expect((await service.get(post.path)).json()).toEqual(post);
    const response = await service.put(redirect.headers['location']!, replacement);
    expect(response.json()).toEqual({ ...post, ...replacement });
  });

  it.each(['/posts', '/docs'])('answers OPTIONS as the canonical path does: %s', async (path) => {
    const bare = await service.request('OPTIONS', path);
    expect(bare.shown).toEqual((await service.request('OPTIONS', `${path}/`)).shown);
  });

  it('is the only valid form for health and openapi.json', async () => {
    for (const path of ['/health/live/', '/health/ready/', '/openapi.json/']) {
      expect((await service.get(path)).problem).toEqual(notFound);
    }
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/', READ_ONLY],
    ['/posts/', COLLECTION],
    ['/posts/7/', ONE],
    ['/health/live', READ_ONLY],
    ['/docs/', READ_ONLY],
    ['*', COLLECTION],
  ])('of %s lists the methods', async (path, allow) => {
    const { 'accept-post': _, ...headers } = (await service.request('OPTIONS', path)).shown.headers;
    expect(headers).toEqual({ allow });
  });

  it('lists the media types only where POST is allowed', async () => {
    const { status, headers } = (await service.request('OPTIONS', '/posts/')).shown;
    const sent = { headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    const refused = await service.request('POST', '/posts/', sent);
    expect([status, refused.status]).toEqual([204, 415]);
    expect(headers['accept-post']).toBe(refused.headers['accept-post']);
    expect(headers['accept-post']).toMatch(/^application\/json, /);
    for (const path of ['/', '/posts/7/', '/docs/']) {
      expect((await service.request('OPTIONS', path)).headers).not.toHaveProperty('accept-post');
    }
  });

  it.each(['/nothing', '/posts/0/', '/problems/none/'])('of %s answers 404', async (path) => {
    expect((await service.request('OPTIONS', path)).problem).toEqual(notFound);
  });
});

describe('a method that a path does not support', () => {
  it.each([
    ['PATCH', '/posts/', COLLECTION],
    ['TRACE', '/posts/', COLLECTION],
    ['POST', '/posts/7/', ONE],
    ['PURGE', '/posts/7/', ONE],
    ['DELETE', '/', READ_ONLY],
    ['DELETE', '/health/ready', READ_ONLY],
  ])('is refused: %s %s', async (method, path, allow) => {
    const response = await service.request(method, path);
    expect([response.status, response.headers['allow']]).toEqual([405, allow]);
    expect(response.problem.detail).toBe(`${method} is not allowed here; ${allow} are.`);
  });

  it('cannot be smuggled in by a header field or a parameter', async () => {
    const post = await service.create();
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' };
    expect((await service.request('PUT', post.path, { headers, json: aPost() })).status).toBe(200);
    expect((await service.request('POST', '/posts/?_method=DELETE', { json: aPost() })).status).toBe(400);
    expect((await service.get(post.path)).status).toBe(200);
  });
});

describe('an id in the path', () => {
  it.each(['0', '01', '9007199254740992', '%31', '..%2f1'])('is invalid as %s, and gets 404', async (id) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { json: aPost() } : {};
      expect((await service.request(method, `/posts/${id}/`, body)).problem).toEqual(notFound);
    }
  });
});

describe('an unknown path', () => {
  it.each([
    '/nothing',
    '/posts.json',
    '/Posts/',
    '//evil.example/posts/',
    '/posts/../posts/',
    '/%70osts/',
    '/posts/%2e%2e/posts/',
    '/.env',
    '/..%2f..%2fetc/passwd',
    '/problems/__proto__/',
    '/health',
    '/*',
  ])('is not found: %s', async (path) => {
    expect((await service.get(path)).problem).toEqual(notFound);
  });

  // They could be ids without their trailing slash.
  it.each(['/posts/*', '/posts/1.json', '/posts/;jsessionid=1'])('is not found: %s', async (path) => {
    const { status, headers } = await service.get(path);
    expect(status).toBe(308);
    expect((await service.get(headers['location']!)).problem).toEqual(notFound);
  });

  it.each(['POST', 'PATCH', 'HEAD'])('is not found by %s either', async (method) => {
    expect((await service.request(method, '/nothing')).status).toBe(404);
  });

  it('is encoded and without its query in the problem', async () => {
    const head = String.raw`GET /%C3%B6<b>"\{}^|?secret=1 HTTP/1.1`;
    const raw = `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const response = parseRawResponse(await rawExchange(service.port, raw));
    expect(response.line).toBe('HTTP/1.1 404 Not Found');
    expect(JSON.parse(response.body)).toMatchObject({ instance: '/%C3%B6%3Cb%3E%22%5C%7B%7D%5E%7C' });
    expect(response.body).not.toContain('secret');
  });
});

// base-url.http.e2e.ts has its authority.
describe('the absolute form of a target', () => {
  /** RFC 9112 §3.2.2: a server must accept it. @returns the status */
  async function send(target: string): Promise<string> {
    const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nConnection: close\r\n\r\n`;
    return parseRawResponse(await rawExchange(service.port, head)).line.split(' ')[1]!;
  }

  it.each([
    ['http', '?', '200'],
    ['HTTP', '/posts/?limit=1', '200'],
    ['http', '/posts/?limit=0', '400'],
    ['http', '/nothing', '404'],
  ])('is understood: %s://<host>%s', async (scheme, path, status) => {
    expect(await send(`${scheme}://127.0.0.1:${service.port}${path}`)).toBe(status);
  });

  it.each(['ftp://127.0.0.1/posts/', 'file:///etc/passwd', 'posts/', 'http:/posts/'])(
    'is rejected with another scheme or without an authority: %s',
    async (target) => {
      expect(await send(target)).toMatch(/^40[04]$/);
    },
  );
});
