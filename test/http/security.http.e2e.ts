import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../support/service.js';

const secure = await startService({ PUBLIC_URL: 'https://posts.example' });
const plain = await startService({ PUBLIC_URL: 'http://posts.example' });

// support/response-rules.ts checks the other header fields for all responses.
describe('the security header fields of every response', () => {
  it.each([
    ['GET', '/posts/'],
    ['OPTIONS', '/posts/'],
    ['POST', '/posts/'],
  ])('require https exactly when PUBLIC_URL is https: %s %s', async (method, target) => {
    const name = 'strict-transport-security';
    expect((await secure.request(method, target)).headers[name]).toBe('max-age=31536000');
    expect((await plain.request(method, target)).headers).not.toHaveProperty(name);
  });

  it('are also on the files of a page', async () => {
    const { headers } = await fetch(`${secure.origin}/docs/page.css`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });
});

describe('a page', () => {
  it.each([
    ['/docs/', "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "],
    ['/problems/', ''],
  ])('at %s has a policy that allows only what it needs', async (path, sources) => {
    const { headers } = await plain.get(path, { Accept: 'text/html' });
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; ${sources}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });
});

describe('docs/operate/security.md', () => {
  const root = join(import.meta.dirname, '../..');
  const text = readFileSync(join(root, 'docs/operate/security.md'), 'utf8');

  it('names tests that exist', () => {
    const files = text.match(/(?<=`)(?:test|src)\/[\w./-]+\.(?:e2e|spec|reliability)\.ts(?=`)/g) ?? [];
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
