import { aPost, listOf, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { HistoryService } from '../../src/history/history.service.js';

const service = await startService();

const replacement = { title: 'New', pub_date: '2027-01-01T00:00:00.000Z', body: 'New body.' };
describe('the ETag of a post', () => {
  it('changes with every change of any field, and never repeats, even when the content does', async () => {
    const post = await service.create();
    const tags = [post.etag, (await service.create()).etag];
    const changes = [{ title: 'b' }, { body: 'b' }, { pub_date: '2026-11-20T14:40:00.000001Z' }, {}];
    for (const change of changes) {
      const { etag } = await service.put(post.path, aPost(change));
      expect((await service.get(post.path)).etag).toBe(etag);
      tags.push(etag);
    }
    expect(new Set(tags).size).toBe(6);
  });

  it.each([
    ['the same values', (post: PostJson) => post],
    ['no date', ({ title, body }: PostJson) => ({ title, body })],
    ['another spelling of the date', (post: PostJson) => ({ ...post, pub_date: '2026-11-20 15:40+01:00' })],
  ])('is kept by a PUT that changes nothing: %s', async (_, change) => {
    const post = await service.create();
    const response = await service.put(post.path, change(post));
    expect([response.status, response.etag, response.json()]).toEqual([200, post.etag, post]);
    expect((await service.get(post.path)).etag).toBe(post.etag);
  });
});

describe('a list with If-None-Match', () => {
  it('answers 304 while it does not change', async () => {
    const [one, two] = await service.createAll([{}, {}]);
    const path = `/posts/?id=${one!.id},${two!.id}`;
    const list = await service.get(path);
    const { shown } = await service.get(path, { 'If-None-Match': list.etag });
    expect(shown).toEqual({
      status: 304,
      headers: {
        etag: list.etag,
        'cache-control': 'no-cache',
        vary: 'Accept, Accept-Encoding, Prefer',
        link: list.headers['link'],
      },
    });
  });

  it.each<[string, (posts: readonly PostJson[]) => Promise<unknown>]>([
    ['one of its posts is replaced', ([, two]) => service.put(`/posts/${two!.id}/`, replacement)],
    ['one of its posts is deleted', ([, two]) => service.delete(`/posts/${two!.id}/`)],
    ['the last of its posts is deleted', ([, , three]) => service.delete(`/posts/${three!.id}/`)],
  ])('answers 200 when %s, whatever fields it shows', async (_, change) => {
    const posts = await service.createAll([{}, {}, {}]);
    const paths = ['', '&fields=id', '&fields=pub_date'].map((fields) => listOf(posts, `&limit=5${fields}`));
    const tags = await Promise.all(paths.map(async (path) => (await service.get(path)).etag));
    expect(new Set(tags).size).toBe(3);
    const ask = (path: string, index: number) => service.get(path, { 'If-None-Match': tags[index]! });
    expect((await Promise.all(paths.map(ask))).map(({ status }) => status)).toEqual([304, 304, 304]);
    await change(posts);
    expect((await Promise.all(paths.map(ask))).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('answers 200 when a page is no longer the last page', async () => {
    const title = `page ${Date.now()}`;
    await service.create({ title, pub_date: '2020-01-02T00:00:00.000Z' });
    const path = `/posts/?title=${encodeURIComponent(title)}&limit=1`;
    const { etag } = await service.get(path);
    await service.create({ title, pub_date: '2020-01-01T00:00:00.000Z' });
    expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(200);
  });
});

describe.each([
  ['PUT', '/posts/{id}/'],
  ['PUT', '/posts/?id={id}'],
  ['DELETE', '/posts/{id}/'],
  ['DELETE', '/posts/?id={id}'],
])('%s %s', (method, template) => {
  const send = (id: number, headers: Record<string, string>) =>
    service.request(method, template.replace('{id}', String(id)), {
      headers,
      ...(method === 'PUT' ? { json: replacement } : {}),
    });
  const success = method === 'PUT' ? 200 : 204;

  it('answers 412 when another client has changed the post', async () => {
    const post = await service.create();
    const { etag } = await service.put(post.path, aPost({ title: 'Theirs' }));
    expect((await send(post.id, { 'If-Match': post.etag })).status).toBe(412);
    expect((await service.get(post.path)).json()).toEqual({ ...post, title: 'Theirs' });
    expect((await send(post.id, { 'If-Match': etag })).status).toBe(success);
  });

  it('accepts exactly one of several concurrent writes with the same entity tag', async () => {
    const posts = await Promise.all(Array.from({ length: 25 }, () => service.create()));
    const outcomes = await Promise.all(
      posts.map(async ({ id, etag }) => {
        const responses = await Promise.all([1, 2, 3].map(() => send(id, { 'If-Match': etag })));
        return responses.map(({ status }) => status).toSorted((a, b) => a - b);
      }),
    );
    // A later request finds the post changed or deleted.
    const late = method === 'PUT' ? 412 : 404;
    const expected = [success, late, late].toSorted((a, b) => a - b);
    expect(outcomes).toEqual(posts.map(() => expected));
  });
});

describe('concurrent writes of different posts', () => {
  it('each have their own outcome, and posts, search and history agree with it', async () => {
    const word = `w${Date.now()}`;
    const large = 'x'.repeat(20_000);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const body = index % 2 === 0 ? 'small' : large;
        const post = await service.create({ body });
        const changed = aPost({ title: `${word} ${index}`, body });
        return { post, changed };
      }),
    );
    const responses = await Promise.all(
      outcomes.flatMap(({ post, changed }) => [
        service.put(post.path, changed, { 'If-Match': post.etag }),
        service.put(post.path, aPost(), { 'If-Match': '"stale"' }),
        service.put('/posts/999999/', aPost()),
      ]),
    );
    expect(responses.map(({ status }) => status)).toEqual(outcomes.flatMap(() => [200, 412, 404]));
    const found = await service.get(`/posts/?search=${word}&ordering=id`);
    expect(found.json<PostJson[]>().map(({ title }) => title)).toEqual(
      outcomes.toSorted((a, b) => a.post.id - b.post.id).map(({ changed }) => changed.title),
    );
    const isGone = (index: number) => index % 3 === 0;
    const gone = await Promise.all(
      outcomes.map(({ post }, index) => service.request(isGone(index) ? 'DELETE' : 'GET', post.path)),
    );
    expect(gone.map(({ status }) => status)).toEqual(outcomes.map((_, index) => (isGone(index) ? 204 : 200)));
    const kept = await service.get(`/posts/?search=${word}`);
    expect(kept.json<PostJson[]>()).toHaveLength(8);
    const history = service.app.get(HistoryService);
    for (const [index, { post }] of outcomes.entries()) {
      const { rows } = await history.revisionsOf(post.id, { limit: 10, cursor: undefined });
      const actions = [...(isGone(index) ? ['deleted'] : []), 'changed', 'created'];
      expect(rows.map(({ action }) => action)).toEqual(actions);
    }
  });
});

describe('concurrent writes with the same ETag', () => {
  it('let either the PUT or the DELETE succeed, never both', async () => {
    const posts = await Promise.all(Array.from({ length: 50 }, () => service.create()));
    await Promise.all(
      posts.map(async ({ path, etag }, index) => {
        const put = () => service.put(path, replacement, { 'If-Match': etag });
        const remove = () => service.delete(path, { 'If-Match': etag });
        const order = index % 2 === 0 ? [put, remove] : [remove, put];
        const statuses = (await Promise.all(order.map((send) => send()))).map(({ status }) => status);
        const after = (await service.get(path)).status;
        expect([`200,412 → 200`, `204,404 → 404`, `412,200 → 200`, `404,204 → 404`]).toContain(
          `${statuses.join()} → ${after}`,
        );
      }),
    );
  });
});
