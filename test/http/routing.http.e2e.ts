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

/** Paths whose responses do not depend on data. */
const READ_ONLY_PATHS = ['/', '/problems/', '/problems/invalid-request/', '/health/live', '/health/ready'];

describe('a path without its trailing slash', () => {
  it.each([
    ['GET', '/posts', '/posts/'],
    ['POST', '/posts', '/posts/'],
    ['PATCH', '/posts', '/posts/'],
    ['HEAD', '/posts?', '/posts/'],
    ['GET', '/posts?title=a%20b%2Fc+d&&x=/b?c', '/posts/?title=a%20b%2Fc+d&&x=/b?c'],
    ['DELETE', '/posts?id=7', '/posts/?id=7'],
    ['PUT', '/posts/7?x=1', '/posts/7/?x=1'],
    ['GET', '/problems/body-too-large', '/problems/body-too-large/'],
    ['GET', '/docs', '/docs/'],
    ['GET', '/admin', '/admin/'],
  ])('is redirected with 308: %s %s', async (method, path, location) => {
    const { shown } = await service.request(method, path);
    expect(shown).toEqual({
      status: 308,
      headers: { location: service.baseUrl + location, 'cache-control': 'no-cache' },
    });
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

  it.each(['/posts', '/posts/7', '/problems', '/docs'])(
    'answers OPTIONS directly, because a preflight cannot follow a redirect: %s',
    async (path) => {
      const bare = await service.request('OPTIONS', path);
      expect(bare.status).toBe(204);
      expect(bare.shown).toEqual((await service.request('OPTIONS', `${path}/`)).shown);
    },
  );

  it('is the only valid form for health and openapi.json', async () => {
    for (const path of ['/health/live/', '/health/ready/', '/openapi.json/']) {
      expect((await service.get(path)).problem).toEqual(notFound);
    }
  });
});

describe('OPTIONS', () => {
  it.each([
    ['/', 'GET, HEAD, OPTIONS'],
    ['/posts/', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/posts/7/', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/problems/', 'GET, HEAD, OPTIONS'],
    ['/problems/invalid-request/', 'GET, HEAD, OPTIONS'],
    ['/health/live', 'GET, HEAD, OPTIONS'],
    ['/health/ready', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/docs/', 'GET, HEAD, OPTIONS'],
    ['/.well-known/api-catalog', 'GET, HEAD, OPTIONS'],
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

  it('of * lists the methods of the whole server', async () => {
    const { shown } = await service.request('OPTIONS', '*');
    expect(shown).toEqual({ status: 204, headers: { allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS' } });
  });

  it.each(['/nothing', '/posts/0/', '/posts/x/', '/problems/none/'])('of %s answers 404', async (path) => {
    expect((await service.request('OPTIONS', path)).problem).toEqual(notFound);
  });
});

describe('a method that a path does not support', () => {
  it.each([
    ['PATCH', '/posts/', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['TRACE', '/posts/', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['PROPFIND', '/posts/', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['POST', '/posts/7/', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['PATCH', '/posts/7/', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['PURGE', '/posts/7/', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ...READ_ONLY_PATHS.map((path) => ['DELETE', path, 'GET, HEAD, OPTIONS']),
  ])('is refused: %s %s', async (method, path, allow) => {
    const response = await service.request(method, path);
    expect(response.status).toBe(405);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', allow });
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
  // src/posts/post-id.spec.ts has all forms.
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

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])(
    'is not found by %s either',
    async (method) => {
      expect((await service.request(method, '/nothing')).status).toBe(404);
    },
  );

  it('is encoded and without its query in the problem', async () => {
    const head = String.raw`GET /%C3%B6<b>"\{}^|?secret=1 HTTP/1.1`;
    const raw = `${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const response = parseRawResponse(await rawExchange(service.port, raw));
    expect(response.line).toBe('HTTP/1.1 404 Not Found');
    expect(JSON.parse(response.body)).toMatchObject({ instance: '/%C3%B6%3Cb%3E%22%5C%7B%7D%5E%7C' });
    expect(response.body).not.toContain('secret');
  });
});

describe('the absolute form of a target', () => {
  /** RFC 9112 §3.2.2: a server must accept it. */
  async function send(method: string, target: string): Promise<ReturnType<typeof parseRawResponse>> {
    const head = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nConnection: close\r\n\r\n`;
    return parseRawResponse(await rawExchange(service.port, head));
  }

  it.each([
    ['?', 'HTTP/1.1 200 OK'],
    ['/posts/?limit=1', 'HTTP/1.1 200 OK'],
    ['/posts/?limit=0', 'HTTP/1.1 400 Bad Request'],
    ['/nothing', 'HTTP/1.1 404 Not Found'],
  ])('is understood: http://<host>%s', async (path, line) => {
    expect((await send('GET', `http://127.0.0.1:${service.port}${path}`)).line).toBe(line);
    expect((await send('GET', `HTTP://127.0.0.1:${service.port}${path}`)).line).toBe(line);
  });

  it.each(['ftp://127.0.0.1/posts/', 'file:///etc/passwd', 'posts/', 'http:/posts/'])(
    'is rejected with another scheme or without an authority: %s',
    async (target) => {
      expect((await send('GET', target)).line).toMatch(/^HTTP\/1\.1 40[04] /);
    },
  );
});
