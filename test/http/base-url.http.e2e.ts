import { parseLinks } from '../support/links.js';
import { parseRawResponse, rawExchange } from '../support/raw-exchange.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

/** All links to itself that the service sends in response to these header fields. */
async function linksOf(service: Service, headers: Record<string, string>, prefix = '') {
  const { body: entryPoint, headers: entryHeaders } = (await service.get(`${prefix}/`, headers)).shown;
  const created = await service.request('POST', `${prefix}/posts/`, { json: aPost(), headers });
  const { id } = created.json<PostJson>();
  const list = await service.get(`${prefix}/posts/?limit=1`, headers);
  const redirect = await service.get(`${prefix}/posts?limit=1`, headers);
  const catalog = await service.get(`${prefix}/.well-known/api-catalog`, headers);
  const { linkset } = catalog.json<{ linkset: { anchor: string }[] }>();
  const form = await service.get(`${prefix}/posts/`, { ...headers, Accept: 'text/html' });
  const problem = await service.get(`${prefix}/posts/?limit=0`, headers);
  const { type } = problem.problem;
  await service.delete(`${prefix}/posts/${id}/`, headers);
  return {
    posts: (entryPoint as { posts: string }).posts,
    ...parseLinks(entryHeaders['link']),
    first: parseLinks(list.headers['link'])['first'],
    location: created.headers['location']?.replace(`/${id}/`, '/{id}/'),
    redirect: redirect.headers['location'],
    anchors: linkset.map(({ anchor }) => anchor),
    form: form.headers['location'],
    problem: type,
  };
}

/** The expected result of {@link linksOf} for a base URL. */
function linksFrom(baseUrl: string) {
  return {
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
  };
}

describe('without BASE_PATH, PUBLIC_URL and TRUST_PROXY', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });

  it.each(['localhost', '[::1]:3000'])('links use the Host: %s', async (host) => {
    expect(await linksOf(service, { Host: host })).toEqual(linksFrom(`http://${host}`));
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

  it.each(['evil.example/path', '<b>'])('an invalid Host is rejected with 400: %s', async (host) => {
    const raw = `GET /posts/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { line, body } = parseRawResponse(await rawExchange(service.port, raw));
    expect(line).toBe('HTTP/1.1 400 Bad Request');
    expect(JSON.parse(body)).toMatchObject({
      status: 400,
      errors: [{ detail: expect.stringContaining('host name'), code: 'malformed', header: 'Host' }],
    });
    expect(body).not.toContain(host);
  });

  it.each([
    ['http://localhost:7/posts?limit=1', '308 http://127.0.0.1:8/posts/?limit=1'],
    ['http://localhost:7', '200 http://127.0.0.1:8/posts/'],
    ['http://evil.example/posts?limit=1', '308 http://127.0.0.1:8/posts/?limit=1'],
    ['http://evil.example', '403 '],
    // User information in the target is refused (RFC 9110 §4.2.4).
    ['http://user:secret@localhost:7/posts', '400 '],
  ])(
    'links use the Host header field, never the authority of an absolute target: %s',
    async (target, expected) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:8\r\nConnection: close\r\n\r\n`;
      const { line, headers, body } = parseRawResponse(await rawExchange(service.port, head));
      const link = headers['location'] ?? (JSON.parse(body) as { posts?: string }).posts ?? '';
      expect(`${line.split(' ')[1]} ${link}`).toBe(expected);
    },
  );

  it.each([
    ['DELETE http://rebound.example/posts/1/', 'localhost'],
    ['GET http://rebound.example/posts/', 'localhost'],
    ['GET http://localhost/posts/', 'rebound.example'],
  ])('the authority of an absolute target is checked like the Host: %s with %s', async (start, host) => {
    const head = `${start} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { line } = parseRawResponse(await rawExchange(service.port, head));
    expect(line).toMatch(/^HTTP\/1\.1 403 /);
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

  it.each(['/health/live', '/health/ready', '/problems/', '/problems/body-too-large/'])(
    'is the prefix of %s, too',
    async (path) => {
      expect((await service.get(`/my/blog${path}`)).status).toBe(200);
      expect((await service.get(path)).status).toBe(404);
    },
  );

  it('without a trailing slash redirects to the entry point', async () => {
    const { shown } = await service.get('/my/blog?x=1');
    expect(shown).toEqual({
      status: 308,
      headers: { location: `${service.origin}/my/blog/?x=1`, 'cache-control': 'no-cache' },
    });
    expect((await service.request('OPTIONS', '/my/blog')).shown).toEqual({
      status: 204,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
  });

  it.each(['/', '/posts/', '/my', '/my/blogs/', '/MY/BLOG/', '/my/blog//'])(
    'must match exactly: %s is not found',
    async (path) => {
      expect((await service.get(path)).status).toBe(404);
    },
  );

  it('applies to the absolute form of a target', async () => {
    const fields = 'HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const send = (path: string) => rawExchange(service.port, `GET http://localhost${path} ${fields}`);
    expect(await send('/my/blog/posts/')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await send('/posts/')).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('PUBLIC_URL', () => {
  it.each([
    ['https://example.com/blog/', '', ''],
    ['https://example.com:8443/outer/blog', '/blog', '/blog'],
  ])('%s is the base of all links, with BASE_PATH "%s"', async (publicUrl, basePath, prefix) => {
    const service = await startService({
      PUBLIC_URL: publicUrl,
      BASE_PATH: basePath,
      TRUST_PROXY: '1',
      ALLOWED_HOSTS: 'other.example',
    });
    const headers = {
      Host: 'internal:3000',
      'X-Forwarded-Host': 'other.example',
      'X-Forwarded-Proto': 'http',
    };
    expect(await linksOf(service, headers, prefix)).toEqual(linksFrom(publicUrl.replace(/\/$/, '')));
  });
});

describe('the instance of a problem', () => {
  it.each([
    ['https://example.com', '', '/posts/', '/posts/'],
    ['https://example.com/outer/blog', '/blog', '/blog/posts/', '/outer/blog/posts/'],
    ['https://example.com/outer', '/blog', '/elsewhere/', '/elsewhere/'],
  ])('is the public path, with %s and BASE_PATH "%s"', async (publicUrl, basePath, path, instance) => {
    const service = await startService({ PUBLIC_URL: publicUrl, BASE_PATH: basePath });
    const refused = await service.get(`${path}?x=1`);
    expect(refused.json()).toMatchObject({ instance });
    // The base URL is not read from an invalid Host.
    const malformed = `GET ${path} HTTP/1.1\r\nHost: a"b\r\nConnection: close\r\n\r\n`;
    const { body } = parseRawResponse(await rawExchange(service.port, malformed));
    expect(JSON.parse(body)).toMatchObject({ type: `${publicUrl}/problems/invalid-request/`, instance });
  });
});

describe('TRUST_PROXY', () => {
  const forwarded = {
    'X-Forwarded-Host': 'example.com',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-For': '203.0.113.9',
  };

  it.each(['1', '10.0.0.0/8, 127.0.0.0/8'])(
    '"%s" makes links use the forwarded host of this proxy',
    async (value) => {
      const service = await startService({ TRUST_PROXY: value, BASE_PATH: '/blog' });
      const links = await linksOf(service, { ...forwarded, Host: 'internal' }, '/blog');
      expect(links).toEqual(linksFrom('https://example.com/blog'));
      const direct = await linksOf(service, { Host: 'internal:81' }, '/blog');
      expect(direct).toEqual(linksFrom('http://internal:81/blog'));
    },
  );

  it('of other addresses does not trust this proxy', async () => {
    const service = await startService({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.2, ::1' });
    const links = await linksOf(service, { ...forwarded, Host: 'internal' });
    expect(links).toEqual(linksFrom('http://internal'));
  });

  it('rejects an invalid forwarded host or scheme with 400', async () => {
    const service = await startService({ TRUST_PROXY: '1' });
    const invalid = [
      ['X-Forwarded-Host', '<b>'],
      ['X-Forwarded-Proto', 'https://evil.example/?'],
    ] as const;
    for (const [name, value] of invalid) {
      const response = await service.get('/', { [name]: value });
      expect(response.status).toBe(400);
      expect(response.text).not.toContain(value);
    }
  });
});
