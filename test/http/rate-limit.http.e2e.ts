import type { Environment } from '../../src/settings/settings.js';
import { aPost } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
afterEach(() => service.stop());

async function startLimited(perMinute: number, environment: Environment = {}): Promise<void> {
  service = await startService({ RATE_LIMIT: String(perMinute), ...environment });
}

/** The header fields of a proxy on this machine, with the address of its client. */
const from = (address: string) => ({ 'X-Forwarded-For': address, Host: 'posts.example' });

describe('RATE_LIMIT', () => {
  it('answers 429 above the limit, and reports the remaining requests', async () => {
    await startLimited(3);
    const { path } = await service.create();
    const second = await service.get(path);
    expect(second.headers).toMatchObject({
      'ratelimit-policy': '"client";q=3;w=60',
      ratelimit: expect.stringMatching(/^"client";r=1;t=(?:59|60)$/),
    });
    expect((await service.get('/nowhere')).headers['ratelimit']).toMatch(/^"client";r=0;t=\d+$/);

    const refused = await service.post(aPost({ title: 'beyond' }));
    const seconds = refused.headers['retry-after'];
    expect(refused.status).toBe(429);
    expect(seconds).toMatch(/^(?:5\d|60)$/);
    expect(refused.headers['ratelimit']).toBe(`"client";r=0;t=${seconds}`);
    expect(refused.problem).toEqual({
      type: 'about:blank',
      code: 'too-many-requests',
      title: 'Too Many Requests',
      status: 429,
      detail: `A client may send 3 requests a minute; try again in ${seconds} s.`,
    });
  });

  it('does not count preflights, which browsers send by themselves', async () => {
    await startLimited(2, { CORS_ORIGINS: 'https://app.example' });
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PUT' };
    const ask = (sent: Record<string, string>) => service.request('OPTIONS', '/posts/', { headers: sent });
    for (let count = 0; count < 5; count += 1) {
      const preflight = await ask(headers);
      expect(preflight.status).toBe(204);
      expect(preflight.headers).not.toHaveProperty('ratelimit');
    }
    // A request with only one of the two header fields is no preflight and counts.
    expect((await ask({ Origin: 'https://app.example' })).headers['ratelimit']).toMatch(/r=1;/);
    expect((await ask({ 'Access-Control-Request-Method': 'PUT' })).headers['ratelimit']).toMatch(/r=0;/);
    expect((await service.get('/posts/')).status).toBe(429);
    expect((await ask(headers)).status).toBe(204);
  });

  it('does not limit health and metrics', async () => {
    await startLimited(1);
    await service.get('/posts/');
    expect((await service.get('/posts/')).status).toBe(429);
    const health = await service.get('/health/ready');
    expect(health.status).toBe(200);
    expect(health.headers).not.toHaveProperty('ratelimit');
  });

  it('is checked before the token, so that tokens cannot be guessed', async () => {
    await startLimited(2, { API_TOKENS: 'a'.repeat(16) });
    const guess = async (): Promise<number> => {
      const response = await service.post(aPost(), { Authorization: `Bearer ${'b'.repeat(16)}` });
      return response.status;
    };
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429]);
  });

  it('uses X-Forwarded-For with TRUST_PROXY, and counts an IPv6 /64 as one client', async () => {
    service = await startService({ RATE_LIMIT: '1', TRUST_PROXY: '1' });
    const ask = async (address: string): Promise<number> => {
      const response = await service.get('/posts/', from(address));
      return response.status;
    };
    expect(await ask('192.0.2.1')).toBe(200);
    expect(await ask('192.0.2.2')).toBe(200);
    expect(await ask('192.0.2.1')).toBe(429);
    // Only the address that the proxy itself added is trusted.
    expect(await ask('203.0.113.9, 192.0.2.2')).toBe(429);
    expect(await ask('2001:db8::1')).toBe(200);
    expect(await ask('2001:db8::2')).toBe(429);
  });

  it('ignores X-Forwarded-For without TRUST_PROXY', async () => {
    await startLimited(1);
    expect((await service.get('/posts/', { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(200);
    expect((await service.get('/posts/', { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(429);
  });

  it('is off by default', async () => {
    service = await startService();
    expect((await service.get('/posts/')).headers).not.toHaveProperty('ratelimit-policy');
  });
});
