import { parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

/** All links to itself that the service sends in response to these header fields. */
async function linksOf(service: Service, headers: Record<string, string>, prefix = '') {
  const get = (path: string, more = {}) => service.get(prefix + path, { ...headers, ...more });
  const entryPoint = await get('/');
  const created = await service.request('POST', `${prefix}/posts/`, { json: aPost(), headers });
  const { id } = created.json<PostJson>();
  await service.delete(`${prefix}/posts/${id}/`, headers);
  return {
    ...entryPoint.json<{ posts: string }>(),
    'service-desc': entryPoint.links['service-desc'],
    'service-doc': entryPoint.links['service-doc'],
    first: (await get('/posts/?limit=1')).links['first'],
    location: created.headers['location']?.replace(`/${id}/`, '/{id}/'),
    redirect: (await get('/posts?limit=1')).headers['location'],
    form: (await get('/posts/', { Accept: 'text/html' })).headers['location'],
    problem: (await get('/posts/?limit=0')).problem.type,
  };
}

/** The expected result of {@link linksOf} for a base URL. */
const linksFrom = (baseUrl: string) => ({
  posts: `${baseUrl}/posts/`,
  'service-desc': `${baseUrl}/openapi.json`,
  'service-doc': `${baseUrl}/docs/`,
  first: `${baseUrl}/posts/?limit=1`,
  location: `${baseUrl}/posts/{id}/`,
  redirect: `${baseUrl}/posts/?limit=1`,
  form: `${baseUrl}/docs/#/posts/listPosts`,
  problem: `${baseUrl}/problems/#invalid-request`,
});

/** Sends a request line with a Host. */
async function send(service: Service, line: string, host: string) {
  const head = `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return parseRawResponse(await rawExchange(service.port, head));
}

const [plain, prefixed, published, proxied, elsewhere] = await Promise.all([
  startService(),
  startService({ BASE_PATH: '/my/blog' }),
  startService({ PUBLIC_URL: 'https://example.com/blog/', TRUST_PROXY: '1', ALLOWED_HOSTS: 'other.example' }),
  startService({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.0/8', BASE_PATH: '/blog' }),
  startService({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.2, ::1' }),
]);

describe('without BASE_PATH, PUBLIC_URL and TRUST_PROXY', () => {
  it('links use the Host, and ignore forwarded header fields', async () => {
    const forwarded = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
    for (const Host of ['[::1]:3000', 'app.localhost'])
      expect(await linksOf(plain, { Host, ...forwarded })).toEqual(linksFrom(`http://${Host}`));
  });

  it('links use the Host of their own request, whatever the requests before had', async () => {
    for (const Host of ['one.localhost', 'evil.example', 'two.localhost', 'one.localhost', 'one.localhost']) {
      const response = await plain.get('/', { Host });
      if (Host === 'evil.example') expect(response.problem).toMatchObject({ code: 'host-not-allowed' });
      else expect(response.json()).toEqual({ posts: `http://${Host}/posts/` });
    }
    await send(plain, 'GET /', 'one.localhost\r\nHost: one.localhost');
    expect((await plain.get('/', { Host: 'one.localhost' })).status).toBe(200);
  });

  it.each(['localhost:', '127.0.0.1:', '[::1]:'])('the port of the Host may be empty: %s', async (host) => {
    const { line, body } = await send(plain, 'GET /', host);
    expect(line).toBe('HTTP/1.1 200 OK');
    expect(JSON.parse(body)).toEqual({ posts: `http://${host.slice(0, -1)}/posts/` });
    expect((await send(plain, 'GET /', 'evil.example:')).line).toBe('HTTP/1.1 403 Forbidden');
  });

  const WRONG_FORM = ['<b>', 'a b', 'a/b', 'a@b', 'a:b', 'a::', 'a:123456', '[::1', '\u00e9'];
  const IN_NO_URL = ['localhost:65536', '[::1]:99999', '300.0.0.1', '[::1::]'];
  it.each([...WRONG_FORM, ...IN_NO_URL])('an invalid Host is rejected with 400: %s', async (host) => {
    const { line, body } = await send(plain, 'GET /posts/', host);
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    const detail = expect.stringContaining('host name');
    expect(JSON.parse(body)).toMatchObject({ errors: [{ detail, code: 'malformed', header: 'Host' }] });
    expect(body).not.toContain(host);
  });

  it('links name localhost for HTTP/1.0 without a Host', async () => {
    const raw = await rawExchange(plain.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(JSON.parse(parseRawResponse(raw).body)).toEqual({
      posts: `http://localhost:${plain.port}/posts/`,
    });
  });
});

describe('BASE_PATH', () => {
  it('is the prefix of every link', async () => {
    expect(await linksOf(prefixed, {}, '/my/blog')).toEqual(linksFrom(`${prefixed.origin}/my/blog`));
    expect((await prefixed.get('/my/blog/health/ready')).status).toBe(200);
  });

  it('without a trailing slash redirects to the entry point, and must match exactly', async () => {
    const { status, headers } = await prefixed.get('/my/blog?x=1');
    expect([status, headers['location']]).toEqual([308, `${prefixed.origin}/my/blog/?x=1`]);
    for (const path of ['/', '/health/ready', '/my/blogs/', '/MY/BLOG/'])
      expect((await send(prefixed, `GET ${path}`, 'localhost')).line).toMatch(/ 404 /);
  });
});

describe('PUBLIC_URL', () => {
  it('is the base of all links', async () => {
    const headers = { 'X-Forwarded-Host': 'other.example', 'X-Forwarded-Proto': 'http' };
    const baseUrl = 'https://example.com/blog';
    expect(await linksOf(published, headers)).toEqual(linksFrom(baseUrl));
    for (const path of ['/openapi.json', '/openapi-client.json'])
      expect((await published.get(path, headers)).json()).toMatchObject({ servers: [{ url: baseUrl }] });
    // The base URL is not read from an invalid Host.
    const type = `${baseUrl}/problems/#invalid-request`;
    const malformed = await send(published, `GET /posts/`, 'a"b');
    expect(JSON.parse(malformed.body)).toMatchObject({ type, instance: '/blog/posts/' });
  });
});

describe('TRUST_PROXY', () => {
  const forwarded = { Host: 'internal', 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Proto': 'https' };

  it('makes links of a request through this proxy begin with what it forwards', async () => {
    expect(await linksOf(proxied, forwarded, '/blog')).toEqual(linksFrom('https://example.com/blog'));
    const direct = await linksOf(proxied, { Host: 'internal:81' }, '/blog');
    expect(direct).toEqual(linksFrom('http://internal:81/blog'));
    expect(await linksOf(elsewhere, forwarded)).toEqual(linksFrom('http://internal'));
  });

  it('makes links with the scheme of their own request, whatever the request before had', async () => {
    for (const scheme of ['https', 'http', 'https']) {
      const response = await proxied.get('/blog/', { ...forwarded, 'X-Forwarded-Proto': scheme });
      expect(response.json()).toEqual({ posts: `${scheme}://example.com/blog/posts/` });
    }
  });

  it.each([
    ['X-Forwarded-Host', '<b>'],
    ['X-Forwarded-Proto', 'https://evil.example/?'],
    ['X-Forwarded-Proto', 'javascript'],
    ['X-Forwarded-Proto', 'ftp, http'],
  ])('rejects an invalid %s with 400', async (name, value) => {
    const response = await proxied.get('/blog/', { [name]: value });
    expect(response.status).toBe(400);
    expect(response.text).not.toContain(value);
  });
});
