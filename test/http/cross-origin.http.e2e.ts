import { aPost } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const APP = 'https://app.example';
const [loopback, proxied, opened, elsewhere, published] = await Promise.all([
  startService(),
  startService({ TRUST_PROXY: '1', ALLOWED_HOSTS: 'posts.example,127.0.0.1' }),
  startService({ CORS_ORIGINS: `${APP}, http://localhost:5173` }),
  startService({ ALLOWED_HOSTS: 'posts.example,[::1],127.0.0.1' }),
  startService({ PUBLIC_URL: 'https://posts.example/blog' }),
]);

/** Tries to create, replace and delete with these header fields. @returns the distinct statuses */
async function write(service: Service, headers: Record<string, string>): Promise<number[]> {
  const { path, etag } = await service.create();
  const statuses = [
    (await service.post(aPost(), headers)).status,
    (await service.put(path, aPost({ title: 'cross' }), headers)).status,
    (await service.delete(path, headers)).status,
  ];
  if (statuses.at(-1) === 403) expect((await service.get(path)).etag).toBe(etag);
  return [...new Set(statuses)];
}

/** The CORS header fields of a response. */
const grants = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site' };
const forwarded = { 'X-Forwarded-Host': 'posts.example', 'X-Forwarded-Proto': 'https' };

describe('a write', () => {
  const WRITTEN = [201, 200, 204];
  const host = { Host: 'evil.example', 'X-Forwarded-Host': 'localhost' };

  it.each<[string, Service, Record<string, string>, number[]]>([
    ['its own page', loopback, { Origin: loopback.origin, 'Sec-Fetch-Site': 'same-origin' }, WRITTEN],
    ['a page of the forwarded host', proxied, { ...forwarded, Origin: 'https://posts.example' }, WRITTEN],
    ['a page of CORS_ORIGINS', opened, { Origin: APP, ...CROSS_SITE }, WRITTEN],
    ['a cross-site page', loopback, CROSS_SITE, [403]],
    ['a page whose host name leads here', loopback, { ...host, Origin: 'http://evil.example' }, [403]],
    ['another origin than the forwarded one', proxied, { ...forwarded, Origin: 'http://127.0.0.1' }, [403]],
    ['an origin beside CORS_ORIGINS', opened, { Origin: `${APP}:444` }, [403]],
    ['the address bar', loopback, { 'Sec-Fetch-Site': 'none' }, WRITTEN],
    ['a page of another subdomain', loopback, { 'Sec-Fetch-Site': 'same-site' }, [403]],
    ['a cross-site page of our origin', loopback, { ...CROSS_SITE, Origin: loopback.origin }, [403]],
    ['a same-origin page elsewhere', loopback, { 'Sec-Fetch-Site': 'same-origin', Origin: APP }, [403]],
    ['a page of PUBLIC_URL', published, { Origin: 'https://posts.example' }, WRITTEN],
    ['another scheme than that of PUBLIC_URL', published, { Origin: 'http://posts.example' }, [403]],
  ])('from %s is accepted or refused', async (_, service, headers, statuses) => {
    expect(await write(service, headers)).toEqual(statuses);
  });

  it.each([
    ['http://posts.example', 'posts.example:80', true],
    // A proxy may terminate TLS.
    ['https://posts.example', 'posts.example', true],
    ['http://posts.example', 'POSTS.Example', true],
    ['http://[::1]:8080', '[::1]:8080', true],
    ['http://posts.example:8080', 'posts.example', false],
    ['http://posts.example', 'posts.example:8080', false],
    ['https://posts.example', 'posts.example:80', false],
    ['http://posts.example.evil', 'posts.example', false],
    ['null', 'posts.example', false],
  ])('with Origin %s at host %s is accepted: %s', async (Origin, Host, isAccepted) => {
    const { status } = await elsewhere.request('POST', '/posts/', { headers: { Host, Origin } });
    expect(status).toBe(isAccepted ? 400 : 403);
  });

  it.each([
    ['POST', '/posts/?x=1', 403],
    ['PATCH', '/posts/', 403],
    ['POST', '/nothing', 404],
  ])('is refused before every check except that of the path: %s %s', async (method, path, status) => {
    expect((await loopback.request(method, path, { headers: CROSS_SITE })).status).toBe(status);
  });
});

describe('a cross-site read', () => {
  it.each([
    ['GET', '/posts/', loopback, 200],
    ['OPTIONS', '/posts/', loopback, 204],
    ['GET', '/posts/', opened, 200],
    ['OPTIONS', '/posts/', opened, 204],
  ])('of an origin without a grant is answered: %s %s', async (method, path, service, expected) => {
    const origin = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const sent = { headers: { ...origin, 'Access-Control-Request-Method': 'PUT' } };
    const { status, headers } = await service.request(method, path, sent);
    expect([status, grants(headers)]).toEqual([expected, []]);
    // A response differs by origin where CORS_ORIGINS is set.
    expect(/\bOrigin$/.test(headers['vary'] ?? '')).toBe(service === opened);
  });
});

describe('a request for another host name', () => {
  const host = { Host: 'evil.example' };

  it.each([
    ['GET', '/posts/1/'],
    ['PATCH', '/posts/'],
    ['GET', '/metrics'],
    ['GET', '/admin/assets/icon-1.svg'],
    ['POST', '/admin/api/sessions/'],
  ])('is refused: %s %s', async (method, path) => {
    const response = await loopback.request(method, path, { headers: host });
    expect(response.problem).toMatchObject({ status: 403, title: 'Host not allowed' });
    expect(response.text).not.toContain('evil');
  });

  it('is refused after the check of its path, before that of its token, and not at /health/', async () => {
    expect((await loopback.get('/nowhere', host)).status).toBe(404);
    expect((await loopback.get('/posts', host)).status).toBe(308);
    expect((await loopback.get('/posts/', { ...host, Authorization: 'Bearer psa_' })).status).toBe(403);
    // Probes ask by address.
    for (const path of ['/health/live', '/health/ready'])
      expect((await loopback.get(path, host)).status).toBe(200);
  });

  it.each([
    ['evil.example, posts.example', 200],
    ['posts.example, evil.example', 403],
  ])('is decided by the last X-Forwarded-Host of a trusted proxy: %s', async (names, status) => {
    expect((await proxied.get('/posts/', { ...host, 'X-Forwarded-Host': names })).status).toBe(status);
  });
});

interface OpenApi {
  readonly components: {
    readonly parameters: Readonly<Record<string, { readonly name: string; readonly in: string }>>;
  };
}

describe('CORS_ORIGINS', () => {
  const EXPOSED = expect.stringMatching(/(?:^|, )ETag(?:,.*)?, Link, Location, .*X-Total-Count$/);

  it.each([
    ['GET', '/posts/', 200],
    ['GET', '/posts/?x=1', 400],
    ['GET', '/posts', 308],
    ['DELETE', '/posts/999/', 404],
  ])('lets a page of an allowed origin read: %s %s %i', async (method, path, status) => {
    const response = await opened.request(method, path, { headers: { Origin: APP } });
    expect(response.status).toBe(status);
    expect(grants(response.headers)).toEqual([
      'access-control-allow-origin',
      'access-control-expose-headers',
    ]);
    const granted = { 'access-control-allow-origin': APP, vary: expect.stringMatching(/\bOrigin$/) };
    expect(response.headers).toMatchObject({ ...granted, 'access-control-expose-headers': EXPOSED });
  });

  it('answers a preflight', async () => {
    const headers = { Origin: APP, 'Access-Control-Request-Method': 'PUT' };
    expect((await opened.request('OPTIONS', '/posts/7', { headers })).shown).toEqual({
      status: 204,
      headers: {
        allow: 'GET, HEAD, PUT, DELETE, OPTIONS',
        vary: 'Origin',
        'access-control-allow-origin': APP,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
        'access-control-allow-headers':
          'Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-Modified-Since, ' +
          'If-None-Match, If-Unmodified-Since, Last-Event-ID, Prefer, Traceparent, X-Request-Id',
        'access-control-expose-headers': EXPOSED,
        'access-control-max-age': '600',
      },
    });
  });

  it('lets a page send every header field that an operation takes', async () => {
    const headers = { Origin: APP, 'Access-Control-Request-Method': 'POST' };
    const preflight = await opened.request('OPTIONS', '/posts/', { headers });
    const { components } = (await opened.get('/openapi.json')).json<OpenApi>();
    const taken = Object.values(components.parameters)
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name);
    expect(taken).toContain('Prefer');
    const allowed = (preflight.headers['access-control-allow-headers'] as string).split(', ');
    expect(allowed).toEqual(expect.arrayContaining([...taken, 'Content-Encoding']));
  });

  it.each([
    ['OPTIONS', '/admin/api/sessions/', 204],
    ['GET', '/admin/', 200],
    ['POST', '/admin/api/sessions/', 403],
  ])('does not open the administration: %s %s', async (method, path, status) => {
    const headers = { Origin: APP, 'Sec-Fetch-Site': 'cross-site', 'Access-Control-Request-Method': 'POST' };
    const response = await opened.request(method, path, { headers });
    expect([response.status, grants(response.headers)]).toEqual([status, []]);
  });
});
