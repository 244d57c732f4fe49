import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import type { HttpResponse } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

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
});

/** Triggers that make a statement leave out the rows of posts, as if another transaction had changed them. */
const LEAVE_OUT = {
  sqlite: (event: string) => `
    CREATE TRIGGER leave_out BEFORE ${event} ON posts BEGIN SELECT RAISE(IGNORE); END`,
  postgres: (event: string) => `
    CREATE OR REPLACE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER leave_out BEFORE ${event} ON posts FOR EACH ROW EXECUTE FUNCTION leave_out()`,
};
const REVISIONS = sql`SELECT count(*) AS "count" FROM post_revisions WHERE post_id = ${':id'}`;

describe('a write', () => {
  it.each(['UPDATE', 'DELETE'])(
    'commits nothing when its %s changes fewer rows than it has read',
    async (event) => {
      const { id, path, etag } = await service.create({ title: 'before' });
      const { reader } = service.app.get(Database);
      const before = await reader.all(REVISIONS, { id });
      await service.database.execute(LEAVE_OUT[globalThis.TEST_DATABASE](event));
      const write = () =>
        event === 'DELETE' ? service.delete(path) : service.put(path, aPost({ title: `after ${event}` }));
      expect((await write()).status).toBe(500);
      expect(await reader.all(REVISIONS, { id })).toEqual(before);
      expect((await service.get(path)).etag).toBe(etag);
      expect((await service.get(`/posts/?search=after+${event}`)).json()).toEqual([]);
      await service.database.execute(
        `DROP TRIGGER leave_out${globalThis.TEST_DATABASE === 'postgres' ? ' ON posts' : ''}`,
      );
      expect((await write()).status).toBeLessThan(300);
    },
  );
});

/** On a slow machine, a write may wait too long for its turn. Then nothing was changed, and a client sends it again. */
async function unlessBusy(send: () => Promise<HttpResponse>): Promise<HttpResponse> {
  for (;;) {
    const response = await send();
    if (response.status !== 503) return response;
  }
}

describe('concurrent writes', () => {
  it('are stored and found if acknowledged, and not stored if refused', async () => {
    const posts = await Promise.all(Array.from({ length: 60 }, () => service.create()));
    const inOrderOfIds = posts.toSorted((a, b) => a.id - b.id);
    const [kept, removed] = [inOrderOfIds.slice(0, 40), inOrderOfIds.slice(40)];

    const create = async (title: string, body: string): Promise<PostJson> => {
      const response = await unlessBusy(() => service.post(aPost({ title, body })));
      expect(response.status).toBe(201);
      const post = response.json<PostJson>();
      // An acknowledged write is readable at once.
      expect((await service.get(`/posts/${post.id}/`)).json()).toEqual(post);
      return post;
    };
    const replace = async (path: string, title: string): Promise<PostJson> => {
      const response = await unlessBusy(() => service.put(path, aPost({ title })));
      expect(response.status).toBe(200);
      return response.json<PostJson>();
    };
    // These requests fail within their transactions, after a read.
    const refuse = async (path: string): Promise<void> => {
      const refused = aPost({ title: 'refused' });
      const stale = await unlessBusy(() => service.put(path, refused, { 'If-Match': '"stale"' }));
      const missing = await unlessBusy(() => service.put('/posts/9007199254740991/', refused));
      const existing = await unlessBusy(() => service.delete(path, { 'If-None-Match': '*' }));
      expect([stale.status, missing.status, existing.status]).toEqual([412, 404, 412]);
    };
    const remove = async (path: string): Promise<void> => {
      expect((await unlessBusy(() => service.delete(path))).status).toBe(204);
    };

    const refusals = kept.map(({ path }) => refuse(path));
    const removals = removed.map(({ path }) => remove(path));
    const expected = await Promise.all([
      ...kept.map(({ path }, index) => replace(path, `replaced ${index}`)),
      ...Array.from({ length: 100 }, (_, index) =>
        create(`created ${index}`, 'x'.repeat((index % 2) * 20_000)),
      ),
    ]);
    await Promise.all([...refusals, ...removals]);
    expect(new Set([...posts, ...expected].map(({ id }) => id)).size).toBe(160);
    const { text } = await service.get('/posts/?ordering=id', { Accept: 'application/x-ndjson' });
    const oldest = kept[0]!.id;
    const stored = text.split('\n').filter(Boolean);
    const inOrder = expected.toSorted((a, b) => a.id - b.id).map((post) => ({ ...post }));
    expect(stored.map((line) => JSON.parse(line) as PostJson).filter(({ id }) => id >= oldest)).toEqual(
      inOrder,
    );
    const found = (await service.get('/posts/?search=replaced&ordering=id')).json<PostJson[]>();
    expect(found).toEqual(inOrder.filter(({ title }) => title.startsWith('replaced')));
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
