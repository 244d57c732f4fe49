import { jest } from '@jest/globals';
import type { Response } from 'express';
import { RateLimit } from '../../src/http/access/rate-limit.js';
import { aPost } from '../support/posts.js';
import { startService } from '../support/service.js';

afterEach(() => jest.restoreAllMocks());

// Responses without RATE_LIMIT are compared whole elsewhere.
describe('RATE_LIMIT', () => {
  it('answers 429 above the limit of a minute, and reports the rest of it, but not for health and metrics', async () => {
    const service = await startService({ RATE_LIMIT: '2' });
    const start = performance.now();
    const clock = jest.spyOn(performance, 'now');
    const at = async (ms: number, target: string) => {
      clock.mockReturnValue(start + ms);
      const { status, headers } = await service.get(target);
      return [status, headers['ratelimit'], headers['ratelimit-policy'], headers['retry-after']];
    };
    const policy = '"client";q=2;w=60';
    expect(await at(0, '/posts/')).toEqual([200, '"client";r=1;t=60', policy, undefined]);
    expect(await at(10_000, '/nowhere')).toEqual([404, '"client";r=0;t=50', policy, undefined]);
    expect(await at(59_500, '/posts/')).toEqual([429, '"client";r=0;t=1', policy, '1']);
    expect((await service.get('/posts/')).problem).toMatchObject({
      code: 'too-many-requests',
      detail: 'A client may send 2 requests a minute; try again in 1 s.',
    });
    for (const operational of ['/health/live', '/metrics'])
      expect(await at(59_500, operational)).toEqual([200, undefined, undefined, undefined]);
    expect(await at(60_000, '/posts/')).toEqual([200, '"client";r=1;t=60', policy, undefined]);
  });

  it('remembers a bounded number of clients, and drops the oldest', () => {
    const limit = new RateLimit(1);
    const response = { setHeader: () => undefined } as unknown as Response;
    const ask = (n: number) => limit.take(String(n), response, 0);
    const max = 100_000;
    for (let n = 0; n <= max; n += 1) ask(n);
    for (const n of [max, 1]) expect(() => ask(n)).toThrow('try again in 60 s');
    ask(0);
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
      // The port of the connection is not part of the client.
      ['192.0.2.1:4711', 429],
      ['[2001:db8::3]:443', 429],
      ['198.51.100.7:1', 200],
      ['198.51.100.7:2', 429],
      ['"198.51.100.7:3"', 429],
      ['198.51.100.7:100000', 429],
      ['203.0.113.9,\t198.51.100.7 ', 429],
      // Both forms of an IPv4 address in IPv6 (RFC 4291 §2.5.5.2).
      ['::ffff:198.51.100.7', 429],
      ['::ffff:c633:6407', 429],
      ['::ffff:c633:6408', 200],
      // RFC 9110 §5.6.1: empty items do not count.
      [`${'203.0.113.9,'.repeat(300)} ,, 198.51.100.7 ,`, 429],
      ['unknown', 200],
      ['"unknown"', 429],
    ] as const) {
      const response = await service.get('/posts/', { 'X-Forwarded-For': address });
      expect([address, response.status]).toEqual([address, status]);
    }
  });

  it('recognises an inner proxy of TRUST_PROXY whose address has a port', async () => {
    const service = await startService({ RATE_LIMIT: '1', TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8' });
    const statuses = [];
    for (const addresses of [
      '203.0.113.9:5555, 10.0.0.5:4431',
      '203.0.113.8:5555, 10.0.0.5:4432',
      '203.0.113.7, "10.0.0.5:100000"',
      '203.0.113.6, ::ffff:a00:5',
    ])
      statuses.push((await service.get('/posts/', { 'X-Forwarded-For': addresses })).status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});
