import type { HttpResponse } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

describe('concurrent writes', () => {
  it('are stored if acknowledged, and not stored if refused', async () => {
    const posts = await Promise.all(Array.from({ length: 60 }, () => service.create()));
    const [kept, removed] = [posts.slice(0, 40), posts.slice(40)];

    const create = async (title: string): Promise<PostJson> => {
      const post = await service.create({ title });
      // An acknowledged write is readable at once.
      expect((await service.get(post.path)).json()).toEqual({ ...post });
      return post;
    };
    const replace = async (path: string, title: string): Promise<PostJson> => {
      const response = await service.put(path, aPost({ title }));
      expect(response.status).toBe(200);
      return response.json<PostJson>();
    };
    // These requests fail within their transactions, after a read.
    const refuse = async (path: string): Promise<void> => {
      const refused = aPost({ title: 'refused' });
      expect((await service.put(path, refused, { 'If-Match': '"stale"' })).status).toBe(412);
      expect((await service.put('/posts/9007199254740991/', refused)).status).toBe(404);
      expect((await service.delete(path, { 'If-None-Match': '*' })).status).toBe(412);
    };
    const remove = async (path: string): Promise<void> => {
      expect((await service.delete(path)).status).toBe(204);
    };

    const refusals = kept.map(({ path }) => refuse(path));
    const removals = removed.map(({ path }) => remove(path));
    const expected = await Promise.all([
      ...kept.map(({ path }, index) => replace(path, `replaced ${index}`)),
      ...Array.from({ length: 100 }, (_, index) => create(`created ${index}`)),
    ]);
    await Promise.all([...refusals, ...removals]);
    expect(new Set([...posts, ...expected].map(({ id }) => id)).size).toBe(160);
    const { text } = await service.get('/posts/?ordering=id', { Accept: 'application/x-ndjson' });
    const stored = text.split('\n').filter(Boolean);
    const inOrder = expected.toSorted((a, b) => a.id - b.id).map((post) => ({ ...post }));
    expect(stored.map((line) => JSON.parse(line) as unknown)).toEqual(inOrder);
  });

  it('to one post create one version each', async () => {
    const post = await service.create();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => service.put(post.path, aPost({ title: `title ${index}` }))),
    );
    const versionOf = ({ etag }: HttpResponse): number => Number(/-(\d+)"$/.exec(etag)![1]);
    const inOrder = responses.toSorted((a, b) => versionOf(a) - versionOf(b));
    expect(inOrder.map(versionOf)).toEqual(responses.map((_, index) => index + 2));
    const { etag, text } = await service.get(post.path);
    expect([etag, text]).toEqual([inOrder.at(-1)!.etag, inOrder.at(-1)!.text]);
  });
});
