import { parseLinks } from '../support/links.js';
import { parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

/** All links to itself that the service sends in response to these header fields. */
async function linksOf(service: Service, headers: Record<string, string>, prefix = '') {
  const get = (path: string, more = {}) => service.get(prefix + path, { ...headers, ...more });
  const entryPoint = await get('/');
  const created = await service.request('POST', `${prefix}/posts/`, { json: aPost(), headers });
  const { id } = created.json<PostJson>();
  const { linkset } = (await get('/.well-known/api-catalog')).json<{ linkset: { anchor: string }[] }>();
  await service.delete(`${prefix}/posts/${id}/`, headers);
  return {
    ...entryPoint.json<{ posts: string }>(),
    ...parseLinks(entryPoint.headers['link']),
    first: parseLinks((await get('/posts/?limit=1')).headers['link'])['first'],
    location: created.headers['location']?.replace(`/${id}/`, '/{id}/'),
    redirect: (await get('/posts?limit=1')).headers['location'],
    anchors: linkset.map(({ anchor }) => anchor),
    form: (await get('/posts/', { Accept: 'text/html' })).headers['location'],
    problem: (await get('/posts/?limit=0')).problem.type,
  };
}

/** The expected result of {@link linksOf} for a base URL. */
const linksFrom = (baseUrl: string) => ({
  posts: `${baseUrl}/posts/`,
  'service-desc': `${baseUrl}/openapi.json`,
  'service-doc': `${baseUrl}/docs/`,
  alternate: `${baseUrl}/posts/`,
  first: `${baseUrl}/posts/?limit=1`,
  location: `${baseUrl}/posts/{id}/`,
  redirect: `${baseUrl}/posts/?limit=1`,
  anchors: [`${baseUrl}/.well-known/api-catalog`, `${baseUrl}/`],
  form: `${baseUrl}/docs/#/posts/listPosts`,
  problem: `${baseUrl}/problems/invalid-request/`,
});

/** Sends a request line with a Host. */
async function send(service: Service, line: string, host: string) {
  const head = `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return parseRawResponse(await rawExchange(service.port, head));
}

describe('without BASE_PATH, PUBLIC_URL and TRUST_PROXY', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });

  it('links use the Host', async () => {
    const Host = '[::1]:3000';
    expect(await linksOf(service, { Host })).toEqual(linksFrom(`http://${Host}`));
  });

  it('links ignore forwarded header fields', async () => {
    const headers = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Port': '444',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-For': '10.0.0.1',
      Forwarded: 'host=evil.example;proto=https',
      'X-Original-URL': '/evil',
      'X-Rewrite-URL': '/evil',
    };
    expect(await linksOf(service, headers)).toEqual(linksFrom(service.origin));
  });

  // src/http/pipeline/host.spec.ts has all forms.
  it('an invalid Host is rejected with 400', async () => {
    const { line, body } = await send(service, 'GET /posts/', '<b>');
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    const detail = expect.stringContaining('host name');
    expect(JSON.parse(body)).toMatchObject({ errors: [{ detail, code: 'malformed', header: 'Host' }] });
    expect(body).not.toContain('<b>');
  });

  it.each([
    ['http://localhost:7/posts?limit=1', '127.0.0.1:8', '308 http://127.0.0.1:8/posts/?limit=1'],
    ['http://localhost:7', '127.0.0.1:8', '200 http://127.0.0.1:8/posts/'],
    ['http://evil.example/posts?limit=1', '127.0.0.1:8', '308 http://127.0.0.1:8/posts/?limit=1'],
    // User information in the target is refused (RFC 9110 §4.2.4).
    ['http://user:secret@localhost:7/posts', '127.0.0.1:8', '400 '],
    // The authority is checked like the Host.
    ['http://evil.example', '127.0.0.1:8', '403 '],
    ['http://localhost/posts/', 'evil.example', '403 '],
  ])('links use the Host, never the authority of an absolute target: %s', async (target, host, expected) => {
    const { line, headers, body } = await send(service, `GET ${target}`, host);
    const link = headers['location'] ?? (JSON.parse(body) as { posts?: string }).posts ?? '';
    expect(`${line.split(' ')[1]} ${link}`).toBe(expected);
  });

  it('links use the local address for HTTP/1.0 without a Host', async () => {
    const raw = await rawExchange(service.port, 'GET / HTTP/1.0\r\n\r\n');
    expect(JSON.parse(parseRawResponse(raw).body)).toEqual({ posts: `${service.origin}/posts/` });
  });
});

describe('BASE_PATH', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ BASE_PATH: '/my/blog' });
  });

  it('is the prefix of every link', async () => {
    expect(await linksOf(service, {}, '/my/blog')).toEqual(linksFrom(`${service.origin}/my/blog`));
  });

  it.each(['/health/ready', '/problems/'])('is the prefix of %s, too', async (path) => {
    expect((await service.get(`/my/blog${path}`)).status).toBe(200);
    expect((await service.get(path)).status).toBe(404);
  });

  it('without a trailing slash redirects to the entry point', async () => {
    const { status, headers } = await service.get('/my/blog?x=1');
    expect([status, headers['location']]).toEqual([308, `${service.origin}/my/blog/?x=1`]);
    const options = await service.request('OPTIONS', '/my/blog');
    expect(options.shown).toEqual({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
  });

  it.each(['/', '/my', '/my/blogs/', '/MY/BLOG/', '/my/blog//', 'http://localhost/posts/'])(
    'must match exactly: %s is not found',
    async (path) => {
      expect((await send(service, `GET ${path}`, 'localhost')).line).toMatch(/ 404 /);
    },
  );

  it('applies to the absolute form of a target', async () => {
    const { line } = await send(service, 'GET http://localhost/my/blog/posts/', 'localhost');
    expect(line).toMatch(/ 200 /);
  });
});

describe('PUBLIC_URL', () => {
  it.each([
    ['https://example.com/blog/', '', 'https://example.com/blog'],
    ['https://example.com:8443/outer/blog', '/blog', 'https://example.com:8443/outer/blog'],
  ])('%s is the base of all links, with BASE_PATH "%s"', async (PUBLIC_URL, BASE_PATH, baseUrl) => {
    const ALLOWED_HOSTS = 'other.example';
    const service = await startService({ PUBLIC_URL, BASE_PATH, TRUST_PROXY: '1', ALLOWED_HOSTS });
    const headers = { 'X-Forwarded-Host': 'other.example', 'X-Forwarded-Proto': 'http' };
    expect(await linksOf(service, headers, BASE_PATH)).toEqual(linksFrom(baseUrl));
    // The base URL is not read from an invalid Host.
    const malformed = await send(service, `GET ${BASE_PATH}/posts/`, 'a"b');
    expect(JSON.parse(malformed.body)).toMatchObject({
      type: `${baseUrl}/problems/invalid-request/`,
      instance: `${new URL(baseUrl).pathname}/posts/`,
    });
    const elsewhere = await send(service, 'GET /elsewhere/', 'other.example');
    const instance = BASE_PATH === '' ? '/blog/elsewhere/' : '/elsewhere/';
    expect(JSON.parse(elsewhere.body)).toMatchObject({ status: 404, instance });
  });
});

describe('TRUST_PROXY', () => {
  const forwarded = { Host: 'internal', 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Proto': 'https' };

  it.each([
    ['1', 'https://example.com'],
    ['10.0.0.0/8, 127.0.0.0/8', 'https://example.com'],
    ['10.0.0.0/8, 127.0.0.2, ::1', 'http://internal'],
  ])('"%s" makes links of this proxy begin with %s', async (TRUST_PROXY, origin) => {
    const service = await startService({ TRUST_PROXY, BASE_PATH: '/blog' });
    expect(await linksOf(service, forwarded, '/blog')).toEqual(linksFrom(`${origin}/blog`));
    const direct = await linksOf(service, { Host: 'internal:81' }, '/blog');
    expect(direct).toEqual(linksFrom('http://internal:81/blog'));
  });

  it('rejects an invalid forwarded host or scheme with 400', async () => {
    const service = await startService({ TRUST_PROXY: '1' });
    for (const [name, value] of [
      ['X-Forwarded-Host', '<b>'],
      ['X-Forwarded-Proto', 'https://evil.example/?'],
    ] as const) {
      const response = await service.get('/', { [name]: value });
      expect(response.status).toBe(400);
      expect(response.text).not.toContain(value);
    }
  });
});
