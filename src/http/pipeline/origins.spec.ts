import type { Request } from 'express';
import { CrossOriginWrite } from '../../problem-details/problems.js';
import { readSettings } from '../../settings/settings.js';
import { Origins } from './origins.js';

interface Sent {
  readonly host?: string;
  readonly origin?: string;
  readonly site?: string;
  readonly path?: string;
}

/** Whether a service with these settings accepts a write. */
function mayWrite(
  environment: Record<string, string>,
  { host, origin, site, path = '/posts/' }: Sent,
): boolean {
  const guard = new Origins(readSettings(environment, { isTerminal: false }));
  const headers = { origin, 'sec-fetch-site': site };
  try {
    guard.assertMayWrite({ headers, context: { host, path } } as unknown as Request);
    return true;
  } catch (error) {
    if (error instanceof CrossOriginWrite) return false;
    throw error;
  }
}

const EVERYWHERE = { HOST: '0.0.0.0' };

describe('Origins', () => {
  it.each<[string, string]>([
    ['http://posts.example', 'posts.example:80'],
    ['https://posts.example', 'posts.example'],
    ['http://posts.example', 'POSTS.Example'],
    ['http://posts.example:8080', 'posts.example:8080'],
    ['http://[::1]:8080', '[::1]:8080'],
    ['http://[::1]', '[0:0:0:0:0:0:0:1]'],
  ])('accepts a write with Origin %s at host %s', (origin, host) => {
    expect(mayWrite(EVERYWHERE, { origin, host })).toBe(true);
  });

  it.each<[string, string]>([
    ['http://posts.example:8080', 'posts.example'],
    ['http://posts.example', 'posts.example:8080'],
    ['https://posts.example', 'posts.example:80'],
    ['http://posts.example.evil', 'posts.example'],
    ['ftp://posts.example', 'posts.example'],
    ['null', 'posts.example'],
    ['posts.example', 'posts.example'],
    ['http://posts.example', 'a b'],
  ])('rejects a write with Origin %s at host %s', (origin, host) => {
    expect(mayWrite(EVERYWHERE, { origin, host })).toBe(false);
  });

  it.each<[string, Sent, boolean]>([
    ['a page of another subdomain', { site: 'same-site' }, false],
    ['the address bar', { site: 'none' }, true],
    ['a same-origin page of another origin', { site: 'same-origin', origin: 'http://evil.example' }, false],
    ['no browser', {}, true],
  ])('decides a write from %s', (_, sent, expected) => {
    expect(mayWrite({}, { host: 'localhost:3000', ...sent })).toBe(expected);
  });

  it('compares the whole origin with PUBLIC_URL', () => {
    const environment = { PUBLIC_URL: 'https://posts.example/blog' };
    expect(mayWrite(environment, { origin: 'https://posts.example', host: 'internal' })).toBe(true);
    expect(mayWrite(environment, { origin: 'http://posts.example', host: 'posts.example' })).toBe(false);
  });

  it('prefers Fetch Metadata to Origin, and CORS_ORIGINS to Fetch Metadata', () => {
    const sent = { host: 'localhost:3000', origin: 'http://localhost:3000' };
    expect(mayWrite({}, { ...sent, site: 'same-origin' })).toBe(true);
    expect(mayWrite({}, { ...sent, site: 'cross-site' })).toBe(false);
    const other = { host: 'localhost', origin: 'https://app.example', site: 'cross-site' };
    expect(mayWrite({ CORS_ORIGINS: 'https://app.example' }, other)).toBe(true);
    for (const path of ['/admin', '/admin/api/posts/']) {
      expect(mayWrite({ CORS_ORIGINS: 'https://app.example' }, { ...other, path })).toBe(false);
    }
  });
});
