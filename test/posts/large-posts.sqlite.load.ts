import type { PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

/** Sizes for every kind of page start and end: small, large, small, two large ones in a row. */
const SIZES = [50, 20_000, 50, 2_500_000, 17_000];
const posts = await service.createAll(
  SIZES.map((size, index) => ({ title: `large ${index}`, body: `é"${'x'.repeat(48)}`.repeat(size / 50) })),
);
const LIST = '/posts/?ordering=id&search=large';

async function textOf(target: string, accept: string): Promise<string> {
  const response = await service.get(target, { Accept: accept });
  expect(response.status).toBe(200);
  return response.text;
}

/** Longer than a piece, with what ends lines, cells and JSON texts. */
const LONG = `=1,;'"\\\r\n\u0001${'😀"\n;=x'.repeat(40_000)}`;

describe('an import of large posts among small ones', () => {
  it.each([
    [
      'application/x-ndjson',
      (bodies: string[]) => bodies.map((body) => `${JSON.stringify({ title: 'i', body })}\n`).join(''),
    ],
    [
      'text/csv',
      (bodies: string[]) =>
        `title,body\n${bodies.map((body) => `i,"${body.replaceAll('"', '""')}"\n`).join('')}`,
    ],
  ])('stores all of them: %s', async (type, fileOf) => {
    const bodies = ['a', LONG, 'b', LONG, LONG, 'c'];
    const response = await service.request('POST', '/posts/', {
      headers: { 'Content-Type': type },
      body: fileOf(bodies),
    });
    expect(response.status).toBe(201);
    const { first_id: first, created } = response.json<{ first_id: number; created: number }>();
    expect(created).toBe(bodies.length);
    const ids = bodies.map((_, index) => first + index).join();
    const stored = JSON.parse(
      await textOf(`/posts/?ordering=id&id=${ids}`, 'application/json'),
    ) as PostJson[];
    expect(stored.map(({ body }, index) => body === bodies[index])).toEqual(bodies.map(() => true));
  });
});

// list-text.e2e.ts has a larger body on both databases.
describe('a page of large posts', () => {
  it('shows all of their bodies', async () => {
    const response = await service.get(LIST);
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.text === JSON.stringify(posts)).toBe(true);
    for (let start = 0; start < posts.length; start += 1) {
      const page = await service.get(`${LIST}&limit=2&offset=${start}`);
      expect(page.text === JSON.stringify(posts.slice(start, start + 2))).toBe(true);
    }
    // Concurrent reads of posts share a query, but not those of large bodies.
    const alone = await Promise.all([...posts, ...posts].map(({ id }) => service.get(`/posts/${id}/`)));
    expect(alone.every(({ text }, index) => text === JSON.stringify([...posts, ...posts][index]))).toBe(true);
    const withoutBodies = await service.get(`${LIST}&fields=id,title`);
    expect(withoutBodies.headers).toHaveProperty('content-length');
    expect(withoutBodies.json()).toEqual(posts.map(({ id, title }) => ({ id, title })));
  });

  it('has links and validators like any other page', async () => {
    const target = `${LIST}&limit=2&offset=2`;
    const response = await service.get(target);
    const next = response.links['next']!;
    expect((await service.get(next)).json()).toEqual(posts.slice(4));
    const unchanged = { 'If-None-Match': response.etag };
    expect((await service.get(target, unchanged)).status).toBe(304);
    expect((await service.get(target, { 'If-Match': response.etag })).status).toBe(200);
    const versions = await service.get(`${target}&fields=id,body,etag`);
    const shown = versions.json<{ id: number; etag: string }[]>();
    expect(shown.map(({ etag }) => etag)).toEqual(shown.map(({ id }) => `"${id}-1"`));
    const head = await service.request('HEAD', target);
    expect([head.etag, head.headers['link']]).toEqual([response.etag, response.headers['link']]);
    const gzipped = await service.get(target, { 'Accept-Encoding': 'gzip' });
    expect(gzipped.etag).toBe(response.etag.replace(/"$/, '-gzip"'));
    expect(gzipped.text === response.text).toBe(true);

    await service.put(`/posts/${posts[2]!.id}/`, { title: 'changed', body: '' });
    expect((await service.get(target, unchanged)).status).toBe(200);
    await service.put(`/posts/${posts[2]!.id}/`, posts[2]);
  });
});

/** More than one chunk, in characters that each representation escapes. */
const ESCAPED = '"\\\n\u0001&<é😀'.repeat(40_000);

describe('a post with a large body', () => {
  const form = new URLSearchParams({ title: 'escaped', body: ESCAPED }).toString();
  const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const send = (headers = {}) =>
    service.request('POST', '/posts/', { body: form, headers: { ...asForm, ...headers } });

  it('is returned complete by each method and in each representation', async () => {
    const key = { 'Idempotency-Key': 'large' };
    const created = await send(key);
    const again = await send(key);
    expect([created.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect([again.text === created.text, again.etag]).toEqual([true, created.etag]);
    const post = created.json<PostJson>();
    expect([post.body === ESCAPED, created.text === JSON.stringify(post)]).toEqual([true, true]);
    const path = `/posts/${post.id}/`;
    const read = await service.get(path);
    expect([read.text === created.text, read.etag]).toEqual([true, created.etag]);
    const gzipped = await service.get(path, { 'Accept-Encoding': 'gzip' });
    expect([gzipped.text === created.text, gzipped.headers['content-encoding']]).toEqual([true, 'gzip']);
    const head = await service.request('HEAD', path);
    expect([head.status, head.text, head.etag]).toEqual([200, '', created.etag]);
    const replaced = await service.put(path, { ...post, title: 'replaced' });
    expect(replaced.json<PostJson>().body === ESCAPED).toBe(true);

    const list = `/posts/?id=${post.id}&limit=1`;
    const row = JSON.stringify({ ...post, title: 'replaced' });
    expect((await service.get(list)).text === `[${row}]`).toBe(true);
    expect((await textOf(list, 'application/x-ndjson')) === `${row}\n`).toBe(true);
    const csv = await textOf(`${list}&fields=title,body`, 'text/csv');
    expect(csv.endsWith(`,"${ESCAPED.replaceAll('"', '""')}"\r\n`)).toBe(true);
  });
});
