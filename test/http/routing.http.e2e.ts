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
    ['PATCH', '/posts', '/posts/'],
    ['HEAD', '/posts?', '/posts/'],
    ['GET', '/posts?title=a%20b%2Fc+d&&x=/b?c', '/posts/?title=a%20b%2Fc+d&&x=/b?c'],
  ])('is redirected with 308: %s %s', async (method, path, location) => {
    const headers = { location: service.baseUrl + location, 'cache-control': 'no-cache' };
    expect((await service.request(method, path)).shown).toEqual({ status: 308, headers });
  });
});

describe('OPTIONS', () => {
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
