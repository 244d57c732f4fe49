import { aPost } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const APP = 'https://app.example';
const [loopback, everywhere, published, proxied, opened] = await Promise.all([
  startService(),
  startService({ HOST: '0.0.0.0' }),
  startService({ PUBLIC_URL: 'https://posts.example/blog', ALLOWED_HOSTS: 'posts.example,127.0.0.1' }),
  startService({ TRUST_PROXY: '1', ALLOWED_HOSTS: 'posts.example,127.0.0.1' }),
  startService({ CORS_ORIGINS: `${APP}, http://localhost:5173` }),
]);

/** Tries to create, replace and delete with these header fields. @returns the distinct statuses */
async function write(service: Service, headers: Record<string, string>): Promise<number[]> {
  const post = await service.create();
  const statuses = [
    (await service.post(aPost({ title: 'cross' }), headers)).status,
    (await service.put(post.path, aPost({ title: 'cross' }), headers)).status,
    (await service.put('/posts/', aPost({ title: 'cross', id: post.id }), headers)).status,
  ];
  if (statuses.every((status) => status === 403)) expect((await service.get(post.path)).json()).toEqual(post);
  statuses.push((await service.delete(post.path, headers)).status);
  if (statuses.at(-1) === 403) expect((await service.get(post.path)).status).toBe(200);
  return [...new Set(statuses)];
}

/** The CORS header fields of a response. */
const grants = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const forwarded = { 'X-Forwarded-Host': 'posts.example', 'X-Forwarded-Proto': 'https' };

// src/http/pipeline/origins.spec.ts and host.spec.ts have all forms.
describe('a write', () => {
  it.each<[string, Service, Record<string, string>]>([
    ['a client that is not a browser', loopback, {}],
    ['its own page', loopback, { Origin: loopback.origin, 'Sec-Fetch-Site': 'same-origin' }],
    ['its own page at another loopback name', loopback, { Host: '[::1]:80', Origin: 'http://[::1]:80' }],
    ['its own page at any host', everywhere, { Host: 'posts.example', Origin: 'https://posts.example' }],
    ['a page of PUBLIC_URL', published, { Origin: 'https://posts.example' }],
    ['a page of the forwarded host', proxied, { ...forwarded, Origin: 'https://posts.example' }],
    ['a page of CORS_ORIGINS', opened, { Origin: APP, 'Sec-Fetch-Site': 'cross-site' }],
  ])('is accepted from %s', async (_, service, headers) => {
    expect(await write(service, headers)).toEqual([201, 200, 204]);
  });

  it.each<[string, Service, Record<string, string>]>([
    ['a cross-site page', loopback, { 'Sec-Fetch-Site': 'cross-site' }],
    ['another origin', loopback, { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }],
    ['a page whose host name leads here', loopback, { Host: 'evil.example', Origin: 'http://evil.example' }],
    [
      'a host that only a stranger forwards',
      loopback,
      { Host: 'evil.example', 'X-Forwarded-Host': 'localhost' },
    ],
    ['another origin than PUBLIC_URL', published, { Origin: 'http://127.0.0.1', Host: '127.0.0.1' }],
    ['another origin than the forwarded one', proxied, { ...forwarded, Origin: 'http://127.0.0.1' }],
    ['an origin beside CORS_ORIGINS', opened, { Origin: 'https://app.example:444' }],
  ])('is refused from %s', async (_, service, headers) => {
    expect(await write(service, headers)).toEqual([403]);
  });

  it('is refused before every check except that of the path', async () => {
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await loopback.request('POST', '/posts/?x=1', { headers })).status).toBe(403);
    expect((await loopback.request('PATCH', '/posts/', { headers })).status).toBe(403);
    expect((await loopback.request('POST', '/', { headers })).status).toBe(403);
    expect((await loopback.request('POST', '/nothing', { headers })).status).toBe(404);
  });
});

describe('a cross-site read', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('is answered to %s, without CORS header fields', async (method) => {
    const { path } = await loopback.create();
    const origin = { 'Sec-Fetch-Site': 'cross-site', Origin: APP, 'Access-Control-Request-Method': 'PUT' };
    for (const target of [path, '/posts/', '/nothing']) {
      const { status, headers } = await loopback.request(method, target, { headers: origin });
      expect(status).toBe(target === '/nothing' ? 404 : method === 'OPTIONS' ? 204 : 200);
      expect(grants(headers)).toEqual([]);
      expect(headers['vary'] ?? '').not.toContain('Origin');
    }
  });
});

describe('a request for another host name', () => {
  const host = { Host: 'evil.example' };

  it.each([
    'GET /',
    'HEAD /posts/',
    'OPTIONS /posts/',
    'OPTIONS *',
    'PATCH /posts/',
    'GET /posts/1/',
    'GET /docs/',
    'GET /metrics',
    'GET /admin/',
    'GET /admin/assets/icon-1.svg',
    'POST /admin/api/sessions/',
  ])('is refused: %s', async (line) => {
    const [method, path] = line.split(' ') as [string, string];
    const response = await loopback.request(method, path, { headers: host });
    expect(response.status).toBe(403);
    if (method === 'HEAD') return;
    expect(response.problem.title).toBe('Host not allowed');
    expect(response.text).not.toContain('evil');
  });

  it('is refused after the check of its path, and before that of its token', async () => {
    expect((await loopback.get('/nowhere', host)).status).toBe(404);
    expect((await loopback.get('/posts', host)).status).toBe(308);
    expect((await loopback.get('/posts/', { ...host, Authorization: 'Bearer psa_' })).status).toBe(403);
  });

  it.each(['/health/live', '/health/ready'])(
    'is accepted at %s, which probes ask by address',
    async (path) => {
      expect((await loopback.get(path, host)).status).toBe(200);
    },
  );

  it.each([
    ['posts.example', 200],
    ['evil.example, posts.example', 200],
    ['posts.example, evil.example', 403],
  ])('is decided by the last X-Forwarded-Host of a trusted proxy: %s', async (names, status) => {
    expect((await proxied.get('/posts/', { ...host, 'X-Forwarded-Host': names })).status).toBe(status);
  });
});

describe('CORS_ORIGINS', () => {
  const EXPOSED = /(?:^|, )ETag(?:,.*)?, Link, Location, .*X-Total-Count$/;

  it('lets a page of an allowed origin read responses and header fields, including errors', async () => {
    const post = await opened.create();
    for (const [method, target, status, fields] of [
      ['GET', '/posts/', 200],
      ['GET', '/posts/', 200, { Accept: 'text/csv' }],
      ['GET', '/posts/', 303, { Accept: 'text/html' }],
      ['GET', post.path, 304, { 'If-None-Match': post.etag }],
      ['GET', '/posts/?x=1', 400],
      ['GET', '/nothing', 404],
      ['GET', '/posts', 308],
      ['DELETE', post.path, 204],
    ] as const) {
      const sent = { headers: { Origin: APP, ...fields } };
      const { headers, status: actual } = await opened.request(method, target, sent);
      expect(actual).toBe(status);
      expect(headers['access-control-allow-origin']).toBe(APP);
      expect(headers['access-control-expose-headers']).toMatch(EXPOSED);
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers['vary']).toMatch(/\bOrigin$/);
    }
  });

  it.each([
    ['/posts/', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/posts/7', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ])('answers a preflight for %s', async (path, methods) => {
    const headers = { Origin: APP, 'Access-Control-Request-Method': 'PUT' };
    expect((await opened.request('OPTIONS', path, { headers })).shown).toEqual({
      status: 204,
      headers: {
        allow: methods,
        ...(methods.includes('POST') && { 'accept-post': expect.stringContaining('application/json') }),
        vary: 'Origin',
        'access-control-allow-origin': APP,
        'access-control-allow-methods': methods,
        'access-control-allow-headers':
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, ' +
          'If-None-Match, If-Unmodified-Since, Prefer, X-Request-Id',
        'access-control-expose-headers': expect.stringMatching(EXPOSED),
        'access-control-max-age': '600',
      },
    });
  });

  it.each(['GET', 'OPTIONS'])('grants nothing to %s of another origin', async (method) => {
    const origin = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT' };
    const { headers } = await opened.request(method, '/posts/', { headers: origin });
    expect(headers['vary']).toMatch(/\bOrigin$/);
    expect(grants(headers)).toEqual([]);
  });

  it('does not open the administration', async () => {
    const headers = { Origin: APP, 'Sec-Fetch-Site': 'cross-site', 'Access-Control-Request-Method': 'POST' };
    for (const [method, path, status] of [
      ['OPTIONS', '/admin/api/sessions/', 204],
      ['GET', '/admin/', 200],
      ['GET', '/admin/api/accounts/', 401],
      ['POST', '/admin/api/sessions/', 403],
    ] as const) {
      const response = await opened.request(method, path, { headers });
      expect(response.status).toBe(status);
      expect(grants(response.headers)).toEqual([]);
    }
  });
});
