import { startService } from '../support/service.js';

const service = await startService();
const proxied = await startService({ PUBLIC_URL: 'https://example.com/blog/api' });
const prefixed = await startService({ BASE_PATH: '/blog' });

/** The same whether or not the site was built. */
const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  etag: expect.any(String),
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; img-src 'self' data:; connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
};

describe('GET /admin/', () => {
  it.each(['/admin/', '/admin/posts/7/history/2?x=1'])('serves the page of the site for %s', async (path) => {
    const page = await service.get(path);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject(PAGE);
    expect(page.text).toContain('<title>Posts administration</title>');
    expect((await service.get(path, { 'If-None-Match': page.etag })).status).toBe(304);
    const head = await service.request('HEAD', path);
    expect([head.status, head.etag]).toEqual([200, page.etag]);
  });

  it('names files that are there', async () => {
    const { text } = await service.get('/admin/');
    const files = [...text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, file]) => file!);
    // Without a build, the page names none.
    expect(files.length > 0).toBe(text.includes('<base'));
    for (const file of files) expect((await service.get(`/admin/${file}`)).status).toBe(200);
  });

  it('has the right <base> under a prefix and behind a proxy that removes a prefix', async () => {
    const found = async (text: Promise<{ text: string }>) =>
      /<base href="([^"]*)">/.exec((await text).text)?.[1];
    // Without a build, the page has no <base>.
    const built = (await found(service.get('/admin/'))) !== undefined;
    expect(await found(service.get('/admin/posts/7'))).toBe(built ? '/admin/' : undefined);
    expect(await found(prefixed.get('/blog/admin/posts/7'))).toBe(built ? '/blog/admin/' : undefined);
    expect(await found(proxied.get('/admin/posts/7'))).toBe(built ? '/blog/api/admin/' : undefined);
  });

  it('is the target of a redirect when the final slash is missing', async () => {
    const response = await service.get('/admin?a=b');
    expect([response.status, response.headers['location']]).toEqual([308, `${service.baseUrl}/admin/?a=b`]);
    const blog = await prefixed.get('/blog/admin');
    expect([blog.status, blog.headers['location']]).toEqual([308, `${prefixed.baseUrl}/admin/`]);
  });

  it.each([
    ['a missing file', 'GET', '/admin/assets/missing.js', 404],
    ['a file of another folder', 'GET', '/admin/assets/..%2findex.html', 404],
    ['the folder of the files', 'GET', '/admin/assets/', 404],
    ['an unknown path of the API', 'GET', '/admin/api/nowhere/', 404],
    ['an API in another case', 'POST', '/admin/API/nowhere/', 404],
    ['a write to a page', 'POST', '/admin/posts/', 405],
    ['another method of a page', 'PATCH', '/admin/posts/7', 405],
  ])('answers %s (%s %s) with %d', async (_, method, path, status) => {
    expect((await service.request(method, path)).status).toBe(status);
  });

  it('is available only by GET and HEAD', async () => {
    expect((await service.request('OPTIONS', '/admin/posts')).shown).toEqual({
      status: 204,
      headers: { allow: 'GET, HEAD, OPTIONS' },
    });
    expect((await service.request('DELETE', '/admin/posts')).headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});
