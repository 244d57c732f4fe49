import type { Request, Response } from 'express';
import { TooManyRequests } from '../../problem-details/problems.js';
import { RateLimit } from './rate-limit.js';

/** The header fields of the response to a request, refused or not. */
function ask(limit: RateLimit, ip: string, now: number): Record<string, string> {
  const fields: Record<string, string> = {};
  const response = { setHeader: (name: string, value: string) => Object.assign(fields, { [name]: value }) };
  try {
    limit.take({ ip } as Request, response as unknown as Response, now);
    return fields;
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return { ...fields, ...error.headers };
  }
}

// test/http/rate-limit.http.e2e.ts has the clients.
describe('RateLimit', () => {
  it.each([
    [[0], '"client";r=1;t=60', undefined],
    [[0, 10_000], '"client";r=0;t=50', undefined],
    [[0, 10_000, 59_500], '"client";r=0;t=1', '1'],
    [[0, 10_000, 59_500, 60_000], '"client";r=1;t=60', undefined],
  ])('reports what remains of a minute after requests at %j ms', (times, reported, retryAfter) => {
    const limit = new RateLimit(2);
    const fields = times.map((now) => ask(limit, '192.0.2.1', now)).at(-1);
    expect(fields).toEqual({
      'RateLimit-Policy': '"client";q=2;w=60',
      RateLimit: reported,
      ...(retryAfter && { 'Retry-After': retryAfter }),
    });
  });

  it('remembers a bounded number of clients, and drops the oldest', () => {
    const limit = new RateLimit(1, 3);
    const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    for (const [index, ip] of clients.entries()) ask(limit, ip, index);
    const isRefused = (ip: string) => 'Retry-After' in ask(limit, ip, 5);
    expect(['192.0.2.4', '192.0.2.3', '192.0.2.1'].map(isRefused)).toEqual([true, true, false]);
  });
});
