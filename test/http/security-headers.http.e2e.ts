import { startService } from '../support/service.js';

const SAMPLES: readonly (readonly [string, string, Record<string, string>])[] = [
  ['GET', '/', {}],
  ['GET', '/posts/', {}],
  ['GET', '/posts/', { Accept: 'text/csv' }],
  ['HEAD', '/posts/', {}],
  ['OPTIONS', '/posts/', {}],
  ['POST', '/posts/', {}],
  ['GET', '/posts', {}],
  ['GET', '/posts/', { Accept: 'text/html' }],
  ['GET', '/posts/7/', {}],
  ['GET', '/nowhere', {}],
  ['PATCH', '/posts/', {}],
  ['GET', '/openapi.json', {}],
  ['GET', '/docs/', {}],
  ['GET', '/problems/', { Accept: 'text/html' }],
  ['GET', '/health/live', {}],
  ['GET', '/metrics', {}],
];

describe('the security header fields of every response', () => {
  // support/response-rules.ts checks the other header fields for all responses.
  it('require https exactly when PUBLIC_URL is https', async () => {
    const secure = await startService({ PUBLIC_URL: 'https://posts.example' });
    const plain = await startService({ PUBLIC_URL: 'http://posts.example' });
    for (const [method, target, headers] of SAMPLES) {
      const name = 'strict-transport-security';
      const apiResponse = await secure.request(method, target, { headers });
      expect([method, target, apiResponse.headers[name]]).toEqual([method, target, 'max-age=31536000']);
      expect((await plain.request(method, target, { headers })).headers).not.toHaveProperty(name);
    }
  });

  it('are also on the files of a page', async () => {
    const service = await startService({ PUBLIC_URL: 'https://posts.example' });
    const { headers } = await fetch(`${service.origin}/docs/page.css`);
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
    ['/docs/', "script-src 'self'"],
    ['/problems/', "base-uri 'none'"],
  ])('at %s has its own Content-Security-Policy', async (path, directive) => {
    const service = await startService();
    const { headers } = await service.get(path, { Accept: 'text/html' });
    expect(headers['content-security-policy']!.split('; ')).toContain(directive);
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });
});
