import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';
import { RevisionsService } from '../../src/history/revisions.service.js';

const service = await startService();

const replacement = { title: 'New', pub_date: '2027-01-01T00:00:00.000Z', body: 'New body.' };

describe('concurrent writes with the same ETag', () => {
  it.each([
    ['PUT', [200, 412, 412]],
    ['DELETE', [204, 404, 404]],
  ])('succeed once: %s', async (method, expected) => {
    const posts = await Promise.all(Array.from({ length: 25 }, () => service.create()));
    const body = method === 'PUT' ? { json: replacement } : {};
    const outcomes = await Promise.all(
      posts.map(async ({ path, etag }) => {
        const send = () => service.request(method, path, { headers: { 'If-Match': etag }, ...body });
        const responses = await Promise.all([send(), send(), send()]);
        return responses.map(({ status }) => status).toSorted((a, b) => a - b);
      }),
    );
    expect(outcomes).toEqual(posts.map(() => expected));
  });

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
    const revisions = service.app.get(RevisionsService);
    for (const [index, { post }] of outcomes.entries()) {
      const { rows } = await revisions.findPage(post.id, { limit: 10, cursor: undefined });
      const actions = [...(isGone(index) ? ['deleted'] : []), 'changed', 'created'];
      expect(rows.map(({ action }) => action)).toEqual(actions);
    }
  });
});
