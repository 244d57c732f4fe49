import { startAdminService } from '../support/admin.js';
import type { PostJson } from '../support/posts.js';
import { until } from '../support/until.js';

const { service, admin } = await startAdminService();

/** Reads three times: a list is kept when it is requested again, and then comes from the cache. */
async function read(target: string): Promise<[string, string]> {
  const first = await service.get(target);
  for (let count = 0; count < 2; count += 1) {
    const again = await service.get(target);
    expect([again.text, again.etag]).toEqual([first.text, first.etag]);
  }
  return [first.text, first.etag];
}

describe('a cached response', () => {
  it('is not used after a post was added, replaced or deleted', async () => {
    const list = '/posts/?title=Listed';
    const { path } = await service.create({ title: 'Listed' });
    const [, etag] = await read(path);
    const lists = [await read(list)];
    await service.create({ title: 'Listed' });
    lists.push(await read(list));
    await service.put(path, { title: 'Listed', body: 'After' });
    const [after, newEtag] = await read(path);
    expect([after.includes('After'), newEtag === etag]).toEqual([true, false]);
    expect((await service.get(path, { 'If-None-Match': etag })).status).toBe(200);
    expect((await service.get(path, { 'If-None-Match': newEtag })).status).toBe(304);
    lists.push(await read(list));
    await service.delete(path);
    expect((await service.get(path)).status).toBe(404);
    lists.push(await read(list));
    expect(lists.map(([text]) => (JSON.parse(text) as PostJson[]).length)).toEqual([1, 2, 2, 1]);
    expect(new Set(lists.map(([, tag]) => tag)).size).toBe(4);
  });

  it('is not used after an import, a deletion of many posts or their restoration', async () => {
    const [{ id, path }, other] = [await service.create(), await service.create()];
    const statuses: number[] = [];
    const list = `/posts/?id=${id},${other.id},${other.id + 1}`;
    for (const change of [
      () => service.import('{"title":"Imported","body":""}'),
      () => admin.send('POST', 'bulk-deletions/', { ids: [id, other.id] }),
      () => admin.send('POST', 'restorations/', { ids: [id, other.id] }),
    ]) {
      await service.get(path);
      await read(list);
      await change();
      statuses.push((await service.get(path)).status, (await service.get(list)).json<[]>().length);
    }
    expect(statuses).toEqual([200, 3, 404, 1, 200, 3]);
  });

  it('is used for a second at most after another process changed the database', async () => {
    const { id, path } = await service.create({ title: 'Before' });
    const targets = [path, `/posts/?id=${id}`];
    for (const target of targets) await read(target);
    await service.database.execute(
      `UPDATE posts SET title = 'From elsewhere', version = version + 1 WHERE id = ${id}`,
    );
    for (const target of targets)
      await until(async () => (await service.get(target)).text.includes('"From elsewhere"'));
  });

  it('is not used for a request with another Prefer or Host', async () => {
    const [text] = await read('/posts/?limit=1');
    const counted = await service.get('/posts/?limit=1', { Prefer: 'count=exact' });
    expect(counted.headers['x-total-count']).toMatch(/^\d+$/);
    const again = await service.get('/posts/?limit=1');
    expect([again.text, again.headers['x-total-count']]).toEqual([text, undefined]);
    const { headers } = await service.get('/posts/?limit=1', { Host: 'localhost:1' });
    expect(headers['link']).toContain('<http://localhost:1/posts/');
  });

  it.each<[string, (id: number) => string]>([
    ['a post', (id) => `/posts/${id}/`],
    ['a list', (id) => `/posts/?id=${id}`],
  ])('never shows a reader an older state than an acknowledged write: %s', async (_, targetOf) => {
    const { id, path } = await service.create({ title: '0' });
    const shownTitle = async () => /"title":"(\d+)"/.exec((await service.get(targetOf(id))).text)?.[1];
    let acknowledged = 0;
    const writes = 50;
    const writer = (async () => {
      for (let next = 1; next <= writes; next++) {
        await service.put(path, { title: String(next), body: '' });
        acknowledged = next;
        // Now and then it is read from the cache.
        if (next % 4 === 0) await shownTitle();
      }
    })();
    const reader = async (): Promise<void> => {
      for (let shown = 0; shown < writes;) {
        const atLeast = acknowledged;
        shown = Number(await shownTitle());
        expect(shown).toBeGreaterThanOrEqual(atLeast);
      }
    };
    await Promise.all([writer, reader(), reader(), reader()]);
  });

  it('is shared by concurrent requests, each with its own preconditions', async () => {
    const { path } = await service.create();
    await service.put(path, { title: 'Asked for', body: 'x' });
    const etag = (await service.get(path)).etag;
    await service.create();
    const responses = await Promise.all([
      ...Array.from({ length: 20 }, () => service.get(path)),
      service.get(path, { 'If-None-Match': etag }),
      service.get(path, { 'If-Match': '"another"' }),
      service.request('HEAD', path),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(200), 304, 412, 200]);
    expect(new Set(responses.slice(0, 20).map(({ text }) => text)).size).toBe(1);
    expect(new Set(responses.map(({ headers }) => headers['x-request-id'])).size).toBe(responses.length);
    expect(responses.at(-1)!.text).toBe('');
  });
});
