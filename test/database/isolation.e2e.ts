import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from '../../src/database/compiled-query.js';
import { Database } from '../../src/database/database.js';
import { aPost, type PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const service = await startService();

async function everyPost(from: Service = service): Promise<Map<number, PostJson>> {
  const posts = new Map<number, PostJson>();
  let target: string | undefined = '/posts/?ordering=id&limit=1000';
  while (target !== undefined) {
    const page = await from.get(target);
    for (const post of page.json<PostJson[]>()) posts.set(post.id, post);
    target = /<([^>]+)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1];
  }
  return posts;
}

describe('concurrent writes', () => {
  it('are stored if acknowledged, and not stored if refused', async () => {
    const seed = await Promise.all(Array.from({ length: 60 }, () => service.create()));
    const expected = await everyPost();

    const create = async (index: number): Promise<void> => {
      const response = await service.post(aPost({ title: `created ${index}` }));
      expect(response.status).toBe(201);
      const post = response.json<PostJson>();
      expect(expected.has(post.id)).toBe(false);
      expected.set(post.id, post);
      // An acknowledged write is readable at once.
      expect((await service.get(`/posts/${post.id}/`)).json()).toEqual(post);
    };
    const replace = async (index: number): Promise<void> => {
      const { id } = seed[index % 20]!;
      const response = await service.put(`/posts/${id}/`, aPost({ title: `replaced ${index}` }));
      expect(response.status).toBe(200);
    };
    const replaceOwn = async (index: number): Promise<void> => {
      const { id } = seed[20 + (index % 20)]!;
      const response = await service.put(`/posts/${id}/`, aPost({ title: `own ${index}` }));
      expect(response.status).toBe(200);
      expected.set(id, response.json());
    };
    const remove = async (index: number): Promise<void> => {
      const { id } = seed[40 + (index % 20)]!;
      expect((await service.delete(`/posts/${id}/`)).status).toBe(204);
      expected.delete(id);
    };
    // These requests fail within their transactions, after a read.
    const refused = async (index: number): Promise<void> => {
      const { id } = seed[index % 20]!;
      const stale = await service.put(`/posts/${id}/`, aPost({ title: 'refused' }), {
        'If-Match': '"stale"',
      });
      expect(stale.status).toBe(412);
      expect((await service.put('/posts/9007199254740991/', aPost({ title: 'refused' }))).status).toBe(404);
      expect((await service.delete(`/posts/${id}/`, { 'If-None-Match': '*' })).status).toBe(412);
    };

    await Promise.all(
      Array.from({ length: 20 }, (_, index) => [
        ...[0, 1, 2, 3, 4].map((round) => create(index * 5 + round)),
        replace(index),
        replaceOwn(index),
        remove(index),
        refused(index),
      ]).flat(),
    );

    const stored = await everyPost();
    for (const { id } of seed.slice(0, 20)) {
      expect(stored.get(id)!.title).toMatch(/^replaced /);
      expected.set(id, stored.get(id)!);
    }
    expect([...stored.values()]).toEqual([...expected.values()].toSorted((a, b) => a.id - b.id));
  });

  it('to one post create one version each', async () => {
    const post = await service.create();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => service.put(post.path, aPost({ title: `title ${index}` }))),
    );
    const tags = responses.map(({ etag }) => etag);
    expect(new Set(tags).size).toBe(50);
    const last = tags
      .toSorted((a, b) => Number(a.split('-')[1]!.slice(0, -1)) - Number(b.split('-')[1]!.slice(0, -1)))
      .at(-1);
    const stored = await service.get(post.path);
    expect(stored.etag).toBe(last);
    expect(stored.text).toBe(responses.find(({ etag }) => etag === last)!.text);
  });

  it('roll back only a write whose statement the database refuses', async () => {
    const own = await startService();
    await own.post(aPost());
    await own.database.execute('CREATE UNIQUE INDEX no_two_titles ON posts (title)');
    const titles = Array.from({ length: 150 }, (_, index) => `title ${index % 100}`);
    const responses = await Promise.all(titles.map((title) => own.post(aPost({ title }))));

    const acknowledged = responses
      .filter(({ status }) => status === 201)
      .map((response) => response.json<PostJson>());
    expect(new Set(acknowledged.map(({ title }) => title)).size).toBe(100);
    expect(responses.filter(({ status }) => status === 500)).toHaveLength(50);
    const [, ...stored] = (await everyPost(own)).values();
    expect(stored).toEqual(acknowledged.toSorted((a, b) => a.id - b.id));
  });
});

describe('a write that is acknowledged while the transaction of another request is open', () => {
  // TypeORM's own transactions on SQLite share one connection, and would roll it back.
  it('is kept when that transaction is rolled back', async () => {
    const own = await startService();
    const insert = CompiledQuery.fromText(
      'INSERT INTO posts (title, pub_date, body) VALUES (:title, :pubDate, :body) RETURNING id',
    );
    const events = new EventEmitter();
    const written = once(events, 'written');
    const failing = own.app.get(Database).write(async (transaction) => {
      await transaction.all(insert, { title: 'a', pubDate: '2026-01-01T00:00:00.000000Z', body: '' });
      const acknowledged = once(events, 'acknowledged');
      events.emit('written');
      // On SQLite, the other write waits for this transaction.
      await Promise.race([acknowledged, sleep(100)]);
      throw new Error('refused');
    });
    const outcome = failing.then(
      () => 'committed',
      () => 'rolled back',
    );
    await written;
    const { id } = await own.create({ title: 'kept' });
    events.emit('acknowledged');
    expect(await outcome).toBe('rolled back');
    expect([...(await everyPost(own)).keys()]).toEqual([id]);
  });
});
