import { parseLinks } from './support/links.js';
import type { PostJson } from './support/posts.js';
import { startService } from './support/service.js';

const service = await startService();

/** Small, large, small, two large ones in a row: whatever a page may begin and end with. */
const SIZES = [50, 20_000, 50, 5_000_000, 17_000];
const posts = await service.createAll(
  SIZES.map((size, index) => ({ title: `large ${index}`, body: `é"${'x'.repeat(48)}`.repeat(size / 50) })),
);
const LIST = '/posts/?ordering=id&search=large';

async function textOf(target: string, accept: string): Promise<string> {
  const answer = await service.get(target, { Accept: accept });
  expect(answer.status).toBe(200);
  return answer.text;
}

describe('a page of large posts', () => {
  it('shows all of their bodies', async () => {
    const answer = await service.get(LIST);
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.json<PostJson[]>()).toEqual(posts);
    expect(answer.text).toBe(JSON.stringify(posts));
    for (let start = 0; start < posts.length; start += 1) {
      const page = await service.get(`${LIST}&limit=2&offset=${start}`);
      expect(page.json()).toEqual(posts.slice(start, start + 2));
    }
  });

  it.each([
    ['application/x-ndjson', '{', '\n'],
    // Behind the header row.
    ['text/csv', '\n', '\r\n'],
    ['application/atom+xml', '  <entry>', '</entry>\n'],
  ])('is the same in %s as its posts alone', async (accept, start, end) => {
    const whole = await textOf(`${LIST}&limit=5`, accept);
    for (const post of posts) {
      const text = await textOf(`/posts/?limit=1&id=${post.id}`, accept);
      const alone = text.slice(text.indexOf(start), text.lastIndexOf(end) + end.length);
      expect(alone.length).toBeGreaterThan(post.body.length);
      expect(whole.includes(alone)).toBe(true);
    }
    if (accept === 'application/atom+xml') expect(whole).toMatch(/<\/feed>\n$/);
  });

  it('has links and validators as any other', async () => {
    const answer = await service.get(`${LIST}&limit=2`);
    const second = parseLinks(answer.headers['link'])['next']!;
    expect((await service.get(second)).json()).toEqual(posts.slice(2, 4));
    const unchanged = { 'If-None-Match': answer.etag };
    expect((await service.get(`${LIST}&limit=2`, unchanged)).status).toBe(304);
    expect((await service.get(`${LIST}&limit=2`, { 'If-Match': answer.etag })).status).toBe(200);
    const head = await service.request('HEAD', `${LIST}&limit=2`);
    expect([head.etag, head.headers['link']]).toEqual([answer.etag, answer.headers['link']]);
    const gzipped = await service.get(`${LIST}&limit=2`, { 'Accept-Encoding': 'gzip' });
    expect([gzipped.text, gzipped.etag]).toEqual([answer.text, answer.etag.replace(/"$/, '-gzip"')]);

    const { id, ...rest } = posts[1]!;
    await service.put(`/posts/${id}/`, { ...rest, body: rest.body.replace('é', 'e') });
    expect((await service.get(`${LIST}&limit=2`, unchanged)).status).toBe(200);
    await service.put(`/posts/${id}/`, rest);
  });

  it('is read without the bodies where they are not asked for', async () => {
    const answer = await service.get(`${LIST}&fields=id,title`);
    expect(answer.headers).toHaveProperty('content-length');
    expect(answer.json()).toEqual(posts.map(({ id, title }) => ({ id, title })));
  });
});

describe('many readers of pages with bodies of some size', () => {
  it('are all answered, at once', async () => {
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
  });
});
