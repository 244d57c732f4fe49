import { finish } from '../support/bulk.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostDeletionsRepository } from '../../src/posts/deletions/post-deletions.repository.js';
import { BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { ANONYMOUS } from '../../src/http/request/author.js';
import { parseLinks } from '../support/links.js';
import { expectTrueCopy } from '../support/copies.js';
import { startService } from '../support/service.js';

const service = await startService({ HISTORY_DAYS: '30' });
const bulkChanges = service.app.get(BulkChangesService, { strict: false });

const DAY_MS = 86_400_000;

interface DeletionJson {
  id: number;
  deleted_at: string;
}

const untilNextSecond = (): Promise<void> => sleep(1_000 - (Date.now() % 1_000) + 5);
const listed = async (query = ''): Promise<DeletionJson[]> =>
  (await service.get(`/deleted-posts/${query}`)).json<DeletionJson[]>();
const idsOf = (deletions: readonly DeletionJson[]): number[] => deletions.map(({ id }) => id);

describe('GET /deleted-posts/', () => {
  it('lists deleted posts, the latest deletion first, page by page', async () => {
    const posts = await service.createAll([{}, {}, {}, {}, {}]);
    const startedAt = Date.now();
    const [a, b, c, d, e] = posts.map(({ id }) => id) as [number, number, number, number, number];
    for (const id of [b, a, d, c, e]) await service.delete(`/posts/${id}/`);
    const response = await service.get('/deleted-posts/?limit=5');
    expect(idsOf(response.json())).toEqual([e, c, d, a, b]);
    for (const { deleted_at: at } of response.json<DeletionJson[]>()) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(at) - startedAt)).toBeLessThan(60_000);
    }

    const first = await service.get('/deleted-posts/?limit=2');
    expect(parseLinks(first.headers['link'])).not.toHaveProperty('prev');
    const second = await service.get(parseLinks(first.headers['link'])['next']!);
    expect([first, second].map((page) => idsOf(page.json()))).toEqual([
      [e, c],
      [d, a],
    ]);
    // Another deletion moves no page.
    const { path, id } = await service.create();
    await service.delete(path);
    const third = await service.get(parseLinks(second.headers['link'])['next']!);
    expect(idsOf(third.json())[0]).toBe(b);
    const back = await service.get(parseLinks(third.headers['link'])['prev']!);
    expect(back.text).toBe(second.text);
    const before = await service.get(parseLinks(back.headers['link'])['prev']!);
    const start = await service.get(parseLinks(before.headers['link'])['prev']!);
    expect([before, start].map((page) => idsOf(page.json()))).toEqual([[e, c], [id]]);
    expect(parseLinks(start.headers['link'])).not.toHaveProperty('prev');
    expect(idsOf(await listed('?limit=1'))).toEqual([id]);
    expect(idsOf(await listed(`?deleted_after=${first.json<DeletionJson[]>()[1]!.deleted_at}`))).toEqual(
      expect.arrayContaining([id, e, c]),
    );
    expect(await listed('?deleted_after=9999-12-31')).toEqual([]);
  });

  it('leaves out restored posts, and keeps those whose content was purged', async () => {
    const [restored, purged] = await service.createAll([{}, {}]);
    for (const { id } of [restored!, purged!]) await service.delete(`/posts/${id}/`);
    await finish(bulkChanges.restorePosts({ ids: [restored!.id] }, ANONYMOUS));
    await finish(bulkChanges.purgePosts({ ids: [purged!.id] }, ANONYMOUS));
    expect(idsOf(await listed('?limit=2'))).toEqual(expect.arrayContaining([purged!.id]));
    expect(idsOf(await listed('?limit=1000'))).not.toContain(restored!.id);
    await untilNextSecond();
    const again = new Date().toISOString();
    await service.delete(`/posts/${restored!.id}/`);
    expect(idsOf(await listed(`?deleted_after=${again}`))).toEqual([restored!.id]);
  });

  it('has a Last-Modified that moves with every change of any post, and answers 304', async () => {
    const post = await service.create();
    const dates: string[] = [];
    await untilNextSecond();
    for (const change of [
      () => service.create(),
      () => service.put(post.path, { title: 'New', body: '' }),
      () => service.delete(post.path),
      () => finish(bulkChanges.restorePosts({ ids: [post.id] }, ANONYMOUS)),
    ]) {
      await change();
      await untilNextSecond();
      const { headers } = await service.get('/deleted-posts/');
      expect(headers['last-modified']).toBe((await service.get('/posts/')).headers['last-modified']);
      dates.push(headers['last-modified']!);
      const conditions: Record<string, string>[] = [
        { 'If-Modified-Since': headers['last-modified']! },
        { 'If-None-Match': headers['etag']! },
      ];
      for (const condition of conditions)
        expect((await service.get('/deleted-posts/', condition)).status).toBe(304);
    }
    expect(new Set(dates).size).toBe(4);
    const head = await service.request('HEAD', '/deleted-posts/');
    expect([head.status, head.headers['last-modified']]).toEqual([200, dates[3]]);
  });

  it.each(['?deleted_after=yesterday', '?limit=0', '?cursor=abc', '?modified_after=2026-01-01'])(
    'refuses %s',
    async (query) => {
      const { problem } = await service.get(`/deleted-posts/${query}`);
      expect(problem).toMatchObject({ status: 400, code: 'invalid-request' });
    },
  );

  it('allows only reads, and only JSON', async () => {
    expect((await service.request('POST', '/deleted-posts/', { json: {} })).status).toBe(405);
    const options = await service.request('OPTIONS', '/deleted-posts/');
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await service.get('/deleted-posts/', { Accept: 'text/csv' })).status).toBe(406);
    expect((await service.get('/deleted-posts')).status).toBe(308);
  });

  it('answers 410 to a time from before HISTORY_DAYS', async () => {
    const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
    const { problem } = await service.get(`/deleted-posts/?deleted_after=${ago(30.01)}`);
    expect(problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    expect((await service.get(`/deleted-posts/?deleted_after=${ago(29.99)}`)).status).toBe(200);
  });

  it('answers 410 to a time from which deletions were forgotten under an earlier setting', async () => {
    const forever = await startService({ HISTORY_DAYS: '0' });
    const { path } = await forever.create();
    await forever.delete(path);
    expect((await forever.get('/deleted-posts/?deleted_after=0001-01-01')).json()).toHaveLength(1);
    const deletions = forever.app.get(PostDeletionsRepository, { strict: false });
    const deadline = new Date(Date.now() + 1_000).toISOString();
    while (await deletions.forget(`${deadline.slice(0, -1)}000Z`, 1));
    expect((await forever.get('/deleted-posts/')).json()).toEqual([]);
    const { problem } = await forever.get('/deleted-posts/?deleted_after=0001-01-01');
    expect(problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    const later = new Date(Date.now() + 2_000).toISOString();
    expect((await forever.get(`/deleted-posts/?deleted_after=${later}`)).status).toBe(200);
  });
});

describe('a copy that the recipes keep', () => {
  // The database matters to what they read, not to the language.
  it.each(globalThis.TEST_DATABASE === 'sqlite' ? ['ts', 'python'] : ['ts'])(
    'is true after four writers (%s)',
    (language) => expectTrueCopy(language, service, service),
  );
});
