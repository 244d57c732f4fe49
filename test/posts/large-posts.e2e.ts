import { parseLinks } from '../support/links.js';
import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** Sizes for every kind of page start and end: small, large, small, two large ones in a row. */
const SIZES = [50, 20_000, 50, 5_000_000, 17_000];
const posts = await service.createAll(
  SIZES.map((size, index) => ({ title: `large ${index}`, body: `é"${'x'.repeat(48)}`.repeat(size / 50) })),
);
const LIST = '/posts/?ordering=id&search=large';

async function textOf(target: string, accept: string): Promise<string> {
  const response = await service.get(target, { Accept: accept });
  expect(response.status).toBe(200);
  return response.text;
}

describe('a page of large posts', () => {
  it('shows all of their bodies', async () => {
    const response = await service.get(LIST);
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.json<PostJson[]>()).toEqual(posts);
    expect(response.text).toBe(JSON.stringify(posts));
    for (let start = 0; start < posts.length; start += 1) {
      const page = await service.get(`${LIST}&limit=2&offset=${start}`);
      expect(page.json()).toEqual(posts.slice(start, start + 2));
    }
  });

  it.each([
    ['application/x-ndjson', '{', '\n'],
    // The row after the header row.
    ['text/csv', '\n', '\r\n'],
    ['application/atom+xml', '  <entry>', '</entry>\n'],
  ])('shows each post in %s exactly as a page with only that post does', async (accept, start, end) => {
    const whole = await textOf(`${LIST}&limit=5`, accept);
    for (const post of posts) {
      const text = await textOf(`/posts/?limit=1&id=${post.id}`, accept);
      const alone = text.slice(text.indexOf(start), text.lastIndexOf(end) + end.length);
      expect(alone.length).toBeGreaterThan(post.body.length);
      expect(whole.includes(alone)).toBe(true);
    }
    if (accept === 'application/atom+xml') expect(whole).toMatch(/<\/feed>\n$/);
  });

  it('has links and validators like any other page', async () => {
    const response = await service.get(`${LIST}&limit=2`);
    const second = parseLinks(response.headers['link'])['next']!;
    expect((await service.get(second)).json()).toEqual(posts.slice(2, 4));
    const unchanged = { 'If-None-Match': response.etag };
    expect((await service.get(`${LIST}&limit=2`, unchanged)).status).toBe(304);
    expect((await service.get(`${LIST}&limit=2`, { 'If-Match': response.etag })).status).toBe(200);
    const head = await service.request('HEAD', `${LIST}&limit=2`);
    expect([head.etag, head.headers['link']]).toEqual([response.etag, response.headers['link']]);
    const gzipped = await service.get(`${LIST}&limit=2`, { 'Accept-Encoding': 'gzip' });
    expect([gzipped.text, gzipped.etag]).toEqual([response.text, response.etag.replace(/"$/, '-gzip"')]);

    const { id, ...rest } = posts[1]!;
    await service.put(`/posts/${id}/`, { ...rest, body: rest.body.replace('é', 'e') });
    expect((await service.get(`${LIST}&limit=2`, unchanged)).status).toBe(200);
    await service.put(`/posts/${id}/`, rest);
  });

  it('is sent with a Content-Length when the bodies are not selected', async () => {
    const response = await service.get(`${LIST}&fields=id,title`);
    expect(response.headers).toHaveProperty('content-length');
    expect(response.json()).toEqual(posts.map(({ id, title }) => ({ id, title })));
  });
});

describe('concurrent readers of pages with medium-sized bodies', () => {
  it('all get the whole page', async () => {
    const made = await service.createAll(
      Array.from({ length: 20 }, (_, index) => ({ title: `sizeable ${index}`, body: 'x'.repeat(40_000) })),
    );
    const pages = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        service.get(`/posts/?ordering=id&search=sizeable&limit=${20 + index}`),
      ),
    );
    for (const page of pages) {
      expect([page.status, page.headers]).toEqual([
        200,
        expect.objectContaining({ 'content-length': expect.any(String) as string }),
      ]);
      expect(page.json()).toEqual(made);
    }
    const lines = await textOf('/posts/?ordering=id&search=sizeable&limit=20', 'application/x-ndjson');
    expect(lines === made.map((post) => `${JSON.stringify(post)}\n`).join('')).toBe(true);
  });
});

/** More than one chunk, in characters that each representation escapes. */
const ESCAPED = '"\\\n\u0001&<é😀'.repeat(40_000);

describe('a post with a large body', () => {
  const form = new URLSearchParams({ title: 'escaped', body: ESCAPED }).toString();
  const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };

  it('is returned complete by each method and in each representation', async () => {
    const created = await service.request('POST', '/posts/', { body: form, headers: asForm });
    expect(created.status).toBe(201);
    const post = created.json<PostJson>();
    expect(post.body === ESCAPED).toBe(true);
    expect(created.text === JSON.stringify(post)).toBe(true);
    const read = await service.get(`/posts/${post.id}/`);
    expect([read.text === created.text, read.etag]).toEqual([true, created.etag]);
    const gzipped = await service.get(`/posts/${post.id}/`, { 'Accept-Encoding': 'gzip' });
    expect([gzipped.text === created.text, gzipped.headers['content-encoding']]).toEqual([true, 'gzip']);
    const head = await service.request('HEAD', `/posts/${post.id}/`);
    expect([head.status, head.text, head.etag]).toEqual([200, '', created.etag]);
    const replaced = await service.put(`/posts/${post.id}/`, { ...post, title: 'replaced' });
    expect(replaced.json<PostJson>().body === ESCAPED).toBe(true);

    const list = `/posts/?id=${post.id}&limit=1`;
    const [row] = (await service.get(list)).json<PostJson[]>();
    expect(row!.body === ESCAPED).toBe(true);
    const line = await textOf(list, 'application/x-ndjson');
    expect(line === `${JSON.stringify({ ...post, title: 'replaced' })}\n`).toBe(true);
    const csv = await textOf(list, 'text/csv');
    expect(csv.endsWith(`,"${ESCAPED.replaceAll('"', '""')}"\r\n`)).toBe(true);
    const atom = await textOf(list, 'application/atom+xml');
    const shown = ESCAPED.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    expect(atom.includes(`<content type="text">${shown.replaceAll('\u0001', '\ufffd')}</content>`)).toBe(
      true,
    );
  });

  it('is returned again when its POST is repeated with the same key', async () => {
    const send = () =>
      service.request('POST', '/posts/', { body: form, headers: { ...asForm, 'Idempotency-Key': 'large' } });
    const first = await send();
    const again = await send();
    expect([first.status, again.status, again.headers['idempotency-replayed']]).toEqual([201, 201, 'true']);
    expect([again.text === first.text, again.etag]).toEqual([true, first.etag]);
  });

  it('does not block other requests while it is stored', async () => {
    const isDone = { now: false };
    const response = service
      .request('POST', '/posts/', { body: form, headers: asForm })
      .finally(() => (isDone.now = true));
    let answered = 0;
    while (!isDone.now) {
      await service.get('/health/live');
      answered += 1;
    }
    expect((await response).status).toBe(201);
    expect(answered).toBeGreaterThan(3);
  });
});
