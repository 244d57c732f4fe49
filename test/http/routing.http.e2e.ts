import { headOf, parseRawResponse, rawExchange } from '../support/raw-exchange.js';
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
    ['PATCH', '/posts', '/posts/'],
    ['HEAD', '/posts?', '/posts/'],
    ['GET', "/posts?title=US$$100$&$'$1", "/posts/?title=US$$100$&$'$1"],
    ['GET', '/posts?title=a%20b%2Fc+d&&x=/b?c', '/posts/?title=a%20b%2Fc+d&&x=/b?c'],
  ])('is redirected with 308: %s %s', async (method, path, location) => {
    const headers = { location: service.baseUrl + location, 'cache-control': 'no-cache' };
    expect((await service.request(method, path)).shown).toEqual({ status: 308, headers });
  });
});

describe('the browsable form', () => {
  it('gets the query as it is', async () => {
    const { status, headers } = await service.get("/posts/?title=it$'s$&", { Accept: 'text/html' });
    expect([status, headers.location]).toEqual([
      303,
      `${service.baseUrl}/docs/?title=it$'s$&#/posts/listPosts`,
    ]);
  });
});

describe('a target that becomes longer when it is escaped', () => {
  it('is refused where a link could not repeat it', async () => {
    const response = await rawExchange(
      service.port,
      headOf(`GET /posts?search=${'"'.repeat(5_500)}`, 'Connection: close'),
    );
    expect(parseRawResponse(response).line).toMatch(/^HTTP\/1\.1 414 /);
  });
});

describe('a target in absolute form (RFC 9112 §3.2.2)', () => {
  const ask = async (target: string, ...fields: string[]) =>
    parseRawResponse(
      await rawExchange(service.port, headOf(`GET ${target}`, 'Connection: close', ...fields)),
    );

  it.each(['http', 'HTTP', 'https'])('is taken, and its authority is the host: %s', async (scheme) => {
    const { line, body } = await ask(`${scheme}://localhost:81/`);
    expect(line).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(body)).toEqual({ posts: 'http://localhost:81/posts/' });
  });

  it('may have an empty port, which links omit', async () => {
    expect(JSON.parse((await ask('http://localhost:/')).body)).toEqual({ posts: 'http://localhost/posts/' });
  });

  it('keeps the query, and may have no path', async () => {
    expect((await ask('http://localhost/posts?title=a')).headers['location']).toBe(
      'http://localhost/posts/?title=a',
    );
    expect(JSON.parse((await ask('http://localhost')).body)).toEqual({ posts: 'http://localhost/posts/' });
  });

  it.each([
    ['http://evil.example/posts/', 403],
    ['http://user@localhost/posts/', 400],
    ['http://@localhost/posts/', 400],
    ['http://@/posts/', 400],
    ['http://:80/posts/', 400],
    // A URL has a host (RFC 9110 §4.2.1).
    ['http:///posts/', 400],
    ['https:///', 400],
    ['http://?title=a', 400],
    ['http:/posts/', 400],
    ['http:posts', 400],
    ['ftp://localhost/posts/', 404],
  ])('is checked as a Host is: %s', async (target, status) => {
    expect((await ask(target)).line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('does not make up for a malformed Host', async () => {
    const head = 'GET http://localhost/posts/ HTTP/1.1\r\nHost: a"b\r\nConnection: close\r\n\r\n';
    const { line, body } = parseRawResponse(await rawExchange(service.port, head));
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(body)).toMatchObject({ errors: [{ code: 'malformed', header: 'Host' }] });
  });

  it('opens nothing of the administration to other origins', async () => {
    const open = await startService({ CORS_ORIGINS: 'https://app.example' });
    const head = headOf(
      'OPTIONS http://localhost/admin/api/sessions/',
      'Connection: close',
      'Origin: https://app.example',
      'Access-Control-Request-Method: POST',
    );
    const { headers } = parseRawResponse(await rawExchange(open.port, head));
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('OPTIONS', () => {
  it('of the service as a whole lists the methods that it knows', async () => {
    const { line, headers } = parseRawResponse(
      await rawExchange(service.port, headOf('OPTIONS *', 'Connection: close')),
    );
    expect([line, headers['allow']]).toEqual(['HTTP/1.1 204 No Content', COLLECTION]);
  });

  it.each([
    ['/', READ_ONLY],
    ['/posts/7', ONE],
    ['/docs/', READ_ONLY],
  ])('of %s lists the methods', async (path, allow) => {
    expect((await service.request('OPTIONS', path)).shown).toEqual({ status: 204, headers: { allow } });
  });

  it('lists the media types too where POST is allowed', async () => {
    const { shown } = await service.request('OPTIONS', '/posts/');
    const sent = { headers: { 'Content-Type': 'text/plain' }, body: 'x' };
    const { 'accept-post': accepted } = (await service.request('POST', '/posts/', sent)).headers;
    expect(accepted).toMatch(/^application\/json, /);
    expect(shown).toEqual({ status: 204, headers: { allow: COLLECTION, 'accept-post': accepted } });
  });
});

describe('a method that a path does not support', () => {
  it.each([
    ['PATCH', '/posts/', COLLECTION],
    ['PURGE', '/posts/7/', ONE],
    ['DELETE', '/health/ready', READ_ONLY],
  ])('is refused: %s %s', async (method, path, allow) => {
    const response = await service.request(method, path);
    expect([response.status, response.headers['allow']]).toEqual([405, allow]);
    expect(response.problem.detail).toBe(`${method} is not allowed here; ${allow} are.`);
  });
});

describe('an unknown path', () => {
  it.each([
    ['GET', '//evil.example/posts/'],
    ['GET', '/posts/../posts/'],
    ['GET', '/docs/__proto__'],
    ['GET', '/%4?a=%4'],
    ['GET', '/posts/9007199254740992/'],
    ['PATCH', '/posts/9007199254740992/'],
    ['GET', '/posts/7.json'],
    ['PUT', '/posts/01/'],
    ['OPTIONS', '/posts/0/'],
    ['GET', '/posts//'],
    ['GET', '/%70osts/'],
    ['GET', '/POSTS/'],
    ['GET', '/posts/7/more/'],
    ['GET', '/openapi.json/'],
    ['GET', '/constructor'],
    ['OPTIONS', '/nothing'],
    ['PATCH', '/nothing'],
    ['POST', '/admin/api/nope'],
    ['GET', '/admin/API/nope'],
    ['POST', '/admin/API/nope'],
    ['OPTIONS', '/admin/API/accounts/'],
    ['PUT', '/admin/Assets/nope'],
    ['DELETE', '/admin/%61PI'],
    ['OPTIONS', '/admin/assets/nope/'],
    ['GET', '/Admin/'],
  ])('is not found: %s %s', async (method, path) => {
    const body = method === 'PUT' ? { json: aPost() } : {};
    expect((await service.request(method, path, body)).problem).toEqual(notFound);
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
