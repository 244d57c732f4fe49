import type { Request, Response } from 'express';
import { TooManyRequests } from '../../problem-details/problems.js';
import { RateLimit } from './rate-limit.js';

function ask(
  limit: RateLimit,
  ip: string,
  now: number,
): { refused: boolean; fields: Record<string, string> } {
  const fields: Record<string, string> = {};
  const response = { setHeader: (name: string, value: string) => Object.assign(fields, { [name]: value }) };
  try {
    limit.take({ ip } as Request, response as unknown as Response, now);
    return { refused: false, fields };
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    return { refused: true, fields: { ...fields, ...error.headers } };
  }
}

describe('RateLimit', () => {
  it('reports the remaining requests of a minute, and refuses more', () => {
    const limit = new RateLimit(2);
    const policy = { 'RateLimit-Policy': '"client";q=2;w=60' };
    expect(ask(limit, '192.0.2.1', 0)).toEqual({
      refused: false,
      fields: { ...policy, RateLimit: '"client";r=1;t=60' },
    });
    expect(ask(limit, '192.0.2.1', 10_000)).toEqual({
      refused: false,
      fields: { ...policy, RateLimit: '"client";r=0;t=50' },
    });
    expect(ask(limit, '192.0.2.1', 59_500)).toEqual({
      refused: true,
      fields: { ...policy, RateLimit: '"client";r=0;t=1', 'Retry-After': '1' },
    });
    expect(ask(limit, '192.0.2.1', 60_000).refused).toBe(false);
  });

  it('counts each client separately, and an IPv6 /64 as one client', () => {
    const limit = new RateLimit(1);
    expect(ask(limit, '192.0.2.1', 0).refused).toBe(false);
    expect(ask(limit, '192.0.2.2', 0).refused).toBe(false);
    expect(ask(limit, '2001:db8::1', 0).refused).toBe(false);
    expect(ask(limit, '2001:db8::2', 0).refused).toBe(true);
    expect(ask(limit, '2001:db8:0:1::1', 0).refused).toBe(false);
  });

  it('remembers a bounded number of clients, and drops the oldest', () => {
    const limit = new RateLimit(1, 3);
    const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    for (const [index, ip] of clients.entries()) ask(limit, ip, index);
    expect(ask(limit, '192.0.2.4', 5).refused).toBe(true);
    expect(ask(limit, '192.0.2.3', 5).refused).toBe(true);
    expect(ask(limit, '192.0.2.1', 5).refused).toBe(false);
  });
});
