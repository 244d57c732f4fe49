import { aPost } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

/** Tries to create, replace and delete with these header fields. @returns the distinct statuses */
async function write(service: Service, headers: Record<string, string>): Promise<number[]> {
  const post = await createBy(service);
  const before = await service.get(post);
  const statuses = [
    (await service.post(aPost({ title: 'cross' }), headers)).status,
    (await service.put(post, aPost({ title: 'cross' }), headers)).status,
    (await service.put('/posts/', aPost({ title: 'cross', id: Number(post.split('/')[2]) }), headers)).status,
  ];
  if (statuses.every((status) => status === 403)) expect((await service.get(post)).text).toBe(before.text);
  statuses.push((await service.delete(post, headers)).status);
  if (statuses.at(-1) === 403) expect((await service.get(post)).status).toBe(200);
  return [...new Set(statuses)];
}

/** Creates a post without an Origin or Sec-Fetch-Site. @returns its path */
async function createBy(service: Service): Promise<string> {
  const response = await service.post(aPost());
  expect(response.status).toBe(201);
  return `/posts/${response.json<{ id: number }>().id}/`;
}

/** The CORS header fields of a response. */
const grants = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const onLoopback = startService();
const REFUSED = [403];
const LET_THROUGH = [201, 200, 204];

describe('a service that listens on loopback', () => {
  let service: Service;
  let own: string;
  beforeAll(async () => {
    service = await startService();
    own = service.origin;
  });

  it.each<[string, Record<string, string>]>([
    ['a cross-site page', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of another subdomain', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['the null origin, such as a sandboxed frame or a file', { Origin: 'null' }],
    ['a cross-site page that claims its origin', { Origin: 'OWN', 'Sec-Fetch-Site': 'cross-site' }],
    [
      'a same-origin page of another origin',
      { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ],
  ])('refuses a write from %s', async (_, headers) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]);
    expect(await write(service, Object.fromEntries(sent))).toEqual(REFUSED);
  });

  it.each<[string, Record<string, string>]>([
    ['a client that is not a browser', {}],
    ['its own page', { Origin: 'OWN', 'Sec-Fetch-Site': 'same-origin' }],
    ['its own page in an older browser', { Origin: 'OWN' }],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }],
  ])('accepts a write from %s', async (_, headers) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, value.replace('OWN', own)]);
    expect(await write(service, Object.fromEntries(sent))).toEqual(LET_THROUGH);
  });

  it.each(['LOCALHOST:3000', '[::1]:3000'])('accepts a write for the loopback name %s', async (host) => {
    expect(await write(service, { Host: host })).toEqual(LET_THROUGH);
    expect(await write(service, { Host: host, Origin: `http://${host}` })).toEqual(LET_THROUGH);
  });

  it.each(['evil.example:3000', '192.168.0.1'])(
    'refuses a write for the host name %s (DNS rebinding)',
    async (host) => {
      expect(await write(service, { Host: host })).toEqual(REFUSED);
      const sent = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
      expect(await write(service, sent)).toEqual(REFUSED);
    },
  );

  it('ignores X-Forwarded-Host from a proxy that TRUST_PROXY does not name', async () => {
    const headers = { 'X-Forwarded-Host': 'evil.example', Origin: 'http://evil.example' };
    expect(await write(service, headers)).toEqual(REFUSED);
  });

  it('refuses a cross-site write before every check except that of the path', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await service.request('POST', '/posts/?x=1', { headers })).status).toBe(403);
    expect((await service.request('PATCH', '/posts/', { headers })).status).toBe(403);
    expect((await service.request('POST', '/', { headers })).status).toBe(403);
    expect((await service.request('POST', '/nothing', { headers })).status).toBe(404);
  });

  it('answers cross-site reads, without CORS header fields', async () => {
    const path = await createBy(service);
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    for (const method of ['GET', 'HEAD']) {
      expect((await service.request(method, path, { headers })).status).toBe(200);
      expect((await service.request(method, '/posts/', { headers })).status).toBe(200);
    }
    const { headers: read } = await service.get(path, headers);
    // No page of another origin may read the response.
    expect(grants(read)).toEqual([]);
  });
});

describe('a request for a host name other than loopback', () => {
  const host = { Host: 'evil.example' };

  it.each([
    ['GET', '/'],
    ['HEAD', '/posts/'],
    ['GET', '/posts/'],
    ['OPTIONS', '/posts/'],
    ['OPTIONS', '*'],
    ['PATCH', '/posts/'],
    ['GET', '/posts/1/'],
    ['GET', '/docs/'],
    ['GET', '/openapi.json'],
    ['GET', '/problems/'],
    ['GET', '/metrics'],
    ['GET', '/admin/'],
    ['GET', '/admin/assets/icon-1.svg'],
    ['GET', '/admin/api/accounts/'],
    ['POST', '/admin/api/sessions/'],
  ])('is refused by a service that listens on loopback: %s %s', async (method, path) => {
    const service = await onLoopback;
    const response = await service.request(method, path, { headers: host });
    expect(response.status).toBe(403);
    if (method === 'HEAD') return;
    expect(response.problem).toMatchObject({ title: 'Host not allowed', status: 403 });
    expect(response.text).not.toContain('evil');
  });

  it('is refused after the check of its path, and before that of its token', async () => {
    const service = await onLoopback;
    expect((await service.get('/nowhere', host)).status).toBe(404);
    expect((await service.get('/posts', host)).status).toBe(308);
    expect((await service.get('/posts/', { ...host, Authorization: 'Bearer psa_' })).status).toBe(403);
  });

  it('is accepted at /health/, which probes ask by address', async () => {
    const service = await onLoopback;
    for (const path of ['/health/live', '/health/ready']) {
      expect((await service.get(path, host)).status).toBe(200);
    }
  });

  it.each([{ HOST: '0.0.0.0' }, { TRUST_PROXY: '1' }])('is accepted with %j', async (environment) => {
    const service = await startService(environment);
    for (const path of ['/posts/', '/metrics', '/admin/']) {
      expect((await service.get(path, host)).status).toBe(200);
    }
  });
});

describe('ALLOWED_HOSTS', () => {
  const PATHS = ['/posts/', '/docs/', '/metrics', '/admin/'];

  /** The distinct statuses of reads and a write with these header fields. */
  async function statuses(service: Service, headers: Record<string, string>): Promise<number[]> {
    const responses = await Promise.all([
      ...PATHS.map((path) => service.get(path, headers)),
      service.post(aPost(), headers),
    ]);
    return [...new Set(responses.map(({ status }) => status))];
  }

  it('is the list of all names that the service answers to', async () => {
    const service = await startService({ HOST: '0.0.0.0', ALLOWED_HOSTS: 'posts.example,*.example.org' });
    expect(await statuses(service, { Host: 'Posts.Example:8080' })).toEqual([200, 201]);
    expect(await statuses(service, { Host: 'a.example.org' })).toEqual([200, 201]);
    for (const Host of ['evil.example', 'example.org', 'a.example.org.evil', 'localhost']) {
      expect(await statuses(service, { Host })).toEqual([403]);
      expect((await service.get('/health/ready', { Host })).status).toBe(200);
    }
    // Only a trusted proxy may say under which name it was called.
    const forwarded = { Host: 'evil.example', 'X-Forwarded-Host': 'posts.example' };
    expect(await statuses(service, forwarded)).toEqual([403]);
  });

  it('is the host of PUBLIC_URL and loopback by default', async () => {
    const service = await startService({ HOST: '0.0.0.0', PUBLIC_URL: 'https://posts.example/blog' });
    for (const Host of ['posts.example', 'localhost', '127.0.0.1:3000']) {
      expect(await statuses(service, { Host })).toEqual([200, 201]);
    }
    expect(await statuses(service, { Host: 'evil.example' })).toEqual([403]);
  });

  it('is compared with the last X-Forwarded-Host of a trusted proxy', async () => {
    const service = await startService({ TRUST_PROXY: '1', ALLOWED_HOSTS: 'posts.example' });
    const via = (names: string) => statuses(service, { Host: 'internal', 'X-Forwarded-Host': names });
    expect(await via('posts.example')).toEqual([200, 201]);
    expect(await via('evil.example, posts.example')).toEqual([200, 201]);
    expect(await via('posts.example, evil.example')).toEqual([403]);
    expect(await statuses(service, { Host: 'internal' })).toEqual([403]);
  });
});

describe('a write to a service with other host names', () => {
  it('is accepted for any host name when the service listens on all addresses', async () => {
    const service = await startService({ HOST: '0.0.0.0' });
    const from = (Origin: string) => write(service, { Host: 'posts.example', Origin });
    expect(await write(service, { Host: 'posts.example' })).toEqual(LET_THROUGH);
    expect(await from('http://posts.example')).toEqual(LET_THROUGH);
    // A proxy may terminate TLS, so the scheme may differ.
    expect(await from('https://posts.example')).toEqual(LET_THROUGH);
    expect(await from('https://evil.example')).toEqual(REFUSED);
    expect(await from('https://posts.example:444')).toEqual(REFUSED);
  });

  it('may have only the origin of PUBLIC_URL as its Origin', async () => {
    const service = await startService({
      PUBLIC_URL: 'https://posts.example/blog',
      ALLOWED_HOSTS: 'posts.example,internal,127.0.0.1',
    });
    expect(await write(service, { Host: 'internal' })).toEqual(LET_THROUGH);
    expect(await write(service, { Origin: 'https://posts.example', Host: 'internal' })).toEqual(LET_THROUGH);
    expect(await write(service, { Origin: 'http://posts.example', Host: 'posts.example' })).toEqual(REFUSED);
    expect(await write(service, { Origin: 'http://internal', Host: 'internal' })).toEqual(REFUSED);
  });

  it('may have only the forwarded origin as its Origin behind a trusted proxy', async () => {
    const service = await startService({ TRUST_PROXY: '1' });
    const forwarded = { Host: 'internal', 'X-Forwarded-Host': 'posts.example', 'X-Forwarded-Proto': 'https' };
    expect(await write(service, { ...forwarded, Origin: 'https://posts.example' })).toEqual(LET_THROUGH);
    expect(await write(service, { ...forwarded, Origin: 'http://internal' })).toEqual(REFUSED);
  });
});

describe('CORS_ORIGINS', () => {
  const app = 'https://app.example';
  const EXPOSED = /(?:^|, )ETag(?:,.*)?, Link, Location, .*X-Total-Count$/;
  let service: Service;
  beforeAll(async () => {
    service = await startService({ CORS_ORIGINS: `${app}, http://localhost:5173` });
  });

  it.each([app, 'http://localhost:5173'])('allows a page of %s to write', async (origin) => {
    expect(await write(service, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' })).toEqual(LET_THROUGH);
  });

  it.each(['https://app.example:444', 'null'])(
    'does not allow a page of %s to write or read',
    async (origin) => {
      expect(await write(service, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' })).toEqual(REFUSED);
      const { headers } = await service.get('/posts/', { Origin: origin });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers['vary']).toBe('Accept, Accept-Encoding, Prefer, Origin');
    },
  );

  it('lets a page of an allowed origin read responses and header fields, including errors', async () => {
    const post = await service.create();
    for (const [method, target, status, fields] of [
      ['GET', '/posts/', 200],
      ['GET', '/posts/', 200, { Accept: 'text/csv' }],
      ['GET', '/posts/', 303, { Accept: 'text/html' }],
      ['GET', post.path, 200],
      ['GET', post.path, 304, { 'If-None-Match': post.etag }],
      ['HEAD', post.path, 200],
      ['GET', '/posts/?x=1', 400],
      ['GET', '/nothing', 404],
      ['PATCH', '/posts/', 405],
      ['GET', '/posts', 308],
      ['DELETE', post.path, 204],
    ] as const) {
      const sent = { headers: { Origin: app, ...fields } };
      const { headers, status: actual } = await service.request(method, target, sent);
      expect(actual).toBe(status);
      expect(headers['access-control-allow-origin']).toBe(app);
      expect(headers['access-control-expose-headers']).toMatch(EXPOSED);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers['vary']).toMatch(/\bOrigin$/);
    }
  });

  it.each([
    ['/posts/', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/posts', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/posts/7/', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/posts/7', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ])('answers a preflight for %s', async (path, methods) => {
    const headers = {
      Origin: app,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'content-type, if-match',
    };
    const { shown } = await service.request('OPTIONS', path, { headers });
    expect(shown).toEqual({
      status: 204,
      headers: {
        allow: methods,
        ...(methods.includes('POST') && { 'accept-post': expect.stringContaining('application/json') }),
        vary: 'Origin',
        'access-control-allow-origin': app,
        'access-control-allow-methods': methods,
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, ' +
          'If-None-Match, If-Unmodified-Since, Prefer, X-Request-Id',
        'access-control-expose-headers': expect.stringMatching(EXPOSED),
        'access-control-max-age': '600',
      },
    });
  });

  it('grants nothing to a preflight of another origin', async () => {
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT' };
    const { status, headers: received } = await service.request('OPTIONS', '/posts/', { headers });
    expect([status, received['vary']]).toEqual([204, 'Origin']);
    expect(grants(received)).toEqual([]);
  });

  it('does not open the administration', async () => {
    const headers = { Origin: app, 'Sec-Fetch-Site': 'cross-site', 'Access-Control-Request-Method': 'POST' };
    for (const [method, path, status] of [
      ['OPTIONS', '/admin/api/sessions/', 204],
      ['GET', '/admin/', 200],
      ['GET', '/admin/api/accounts/', 401],
      ['POST', '/admin/api/sessions/', 403],
    ] as const) {
      const response = await service.request(method, path, { headers });
      expect(response.status).toBe(status);
      expect(grants(response.headers)).toEqual([]);
    }
  });

  it('adds no header fields when it is not set', async () => {
    const plain = await startService();
    for (const target of ['/posts/', '/nothing']) {
      const headers = { Origin: app, 'Access-Control-Request-Method': 'PUT' };
      const response = await plain.request(target === '/posts/' ? 'OPTIONS' : 'GET', target, { headers });
      expect(grants(response.headers)).toEqual([]);
      expect(response.headers['vary'] ?? '').not.toContain('Origin');
    }
  });
});
