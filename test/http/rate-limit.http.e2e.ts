import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

// src/http/pipeline/rate-limit.spec.ts has the counts. Responses without RATE_LIMIT are compared whole elsewhere.
describe('RATE_LIMIT', () => {
  it('answers 429 above the limit, and reports the remaining requests, but not for health and metrics', async () => {
    const service = await startService({ RATE_LIMIT: '3' });
    const { path } = await service.create();
    const { headers } = await service.get(path);
    expect(headers['ratelimit-policy']).toBe('"client";q=3;w=60');
    expect(headers['ratelimit']).toMatch(/^"client";r=1;t=(?:59|60)$/);
    expect((await service.get('/nowhere')).headers['ratelimit']).toMatch(/^"client";r=0;t=\d+$/);

    const refused = await service.post(aPost({ title: 'beyond' }));
    const seconds = refused.headers['retry-after'];
    expect(seconds).toMatch(/^(?:5\d|60)$/);
    expect(refused.headers['ratelimit']).toBe(`"client";r=0;t=${seconds}`);
    const detail = `A client may send 3 requests a minute; try again in ${seconds} s.`;
    expect(refused.problem).toMatchObject({ status: 429, code: 'too-many-requests', detail });
    for (const operational of ['/health/ready', '/metrics']) {
      const response = await service.get(operational);
      expect([response.status, response.headers['ratelimit']]).toEqual([200, undefined]);
    }
  });

  it('does not count preflights, which browsers send by themselves', async () => {
    const service = await startService({ RATE_LIMIT: '2', CORS_ORIGINS: 'https://app.example' });
    const [origin, method] = [{ Origin: 'https://app.example' }, { 'Access-Control-Request-Method': 'PUT' }];
    const ask = async (headers: Record<string, string>) => {
      const response = await service.request('OPTIONS', '/posts/', { headers });
      return `${response.status} ${response.headers['ratelimit']?.slice(0, 13)}`;
    };
    for (let count = 0; count < 3; count += 1)
      expect(await ask({ ...origin, ...method })).toBe('204 undefined');
    // A request with only one of the two header fields is no preflight and counts.
    expect([await ask(origin), await ask(method)]).toEqual(['204 "client";r=1;', '204 "client";r=0;']);
    expect((await service.get('/posts/')).status).toBe(429);
    expect(await ask({ ...origin, ...method })).toBe('204 undefined');
  });

  it('is checked before the token, so that tokens cannot be guessed from any forwarded address', async () => {
    const service = await startService({ RATE_LIMIT: '2', API_TOKENS: 'a'.repeat(16) });
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const headers = { Authorization: `Bearer ${'b'.repeat(16)}`, 'X-Forwarded-For': address };
      statuses.push((await service.post(aPost(), headers)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('uses X-Forwarded-For with TRUST_PROXY, and counts an IPv6 /64 as one client', async () => {
    const service = await startService({ RATE_LIMIT: '1', TRUST_PROXY: '1' });
    for (const [address, status] of [
      ['192.0.2.1', 200],
      ['192.0.2.2', 200],
      ['192.0.2.1', 429],
      // Only the address that the proxy itself added is trusted.
      ['203.0.113.9, 192.0.2.2', 429],
      ['2001:db8::1', 200],
      ['2001:db8::2', 429],
    ] as const) {
      const response = await service.get('/posts/', { 'X-Forwarded-For': address });
      expect([address, response.status]).toEqual([address, status]);
    }
  });
});
