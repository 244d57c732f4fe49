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
function mayWrite(environment: Record<string, string>, sent: Sent): boolean {
  const { host, origin, site, path = '/posts/' } = sent;
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

const [PUBLIC_URL, CORS_ORIGINS] = ['https://posts.example/blog', 'https://app.example'];
const APP = { host: 'localhost', origin: CORS_ORIGINS, site: 'cross-site' };

describe('Origins', () => {
  it.each([
    ['http://posts.example', 'posts.example:80', true],
    // A proxy may terminate TLS.
    ['https://posts.example', 'posts.example', true],
    ['http://posts.example', 'POSTS.Example', true],
    ['http://[::1]:8080', '[0:0:0:0:0:0:0:1]:8080', true],
    ['http://posts.example:8080', 'posts.example', false],
    ['http://posts.example', 'posts.example:8080', false],
    ['https://posts.example', 'posts.example:80', false],
    ['http://posts.example.evil', 'posts.example', false],
    ['null', 'posts.example', false],
    ['http://posts.example', 'a b', false],
  ])('decide a write with Origin %s at host %s: %s', (origin, host, isAccepted) => {
    expect(mayWrite({ HOST: '0.0.0.0' }, { origin, host })).toBe(isAccepted);
  });

  it.each<[string, Sent, boolean, Record<string, string>?]>([
    ['no browser', { host: 'localhost' }, true],
    ['the address bar', { host: 'localhost', site: 'none' }, true],
    ['a page of another subdomain', { host: 'localhost', site: 'same-site' }, false],
    ['a cross-site page that claims our origin', { ...APP, origin: 'http://localhost' }, false],
    ['a same-origin page of another origin', { ...APP, site: 'same-origin' }, false],
    ['a page of PUBLIC_URL', { host: 'internal', origin: 'https://posts.example' }, true, { PUBLIC_URL }],
    ['another scheme', { host: 'posts.example', origin: 'http://posts.example' }, false, { PUBLIC_URL }],
    ['a page of CORS_ORIGINS', APP, true, { CORS_ORIGINS }],
    ['a page of CORS_ORIGINS to the admin', { ...APP, path: '/admin/api/posts/' }, false, { CORS_ORIGINS }],
    ['a page of CORS_ORIGINS to its redirect', { ...APP, path: '/admin' }, false, { CORS_ORIGINS }],
  ])('decide a write from %s', (...[, sent, isAccepted, environment = {}]) => {
    expect(mayWrite(environment, sent)).toBe(isAccepted);
  });
});
