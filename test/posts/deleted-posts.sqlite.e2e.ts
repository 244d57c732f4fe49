import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { PostDeletion } from '../../src/posts/post-collection.entity.js';
import { PostDeletionsService } from '../../src/posts/deletions/post-deletions.service.js';
import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import { startService } from '../support/service.js';

const { service, admin } = await startAdminService({ HISTORY_DAYS: '30' });

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

    const follow = async ({ links }: HttpResponse, rel: 'next' | 'prev') => service.get(links[rel]!);
    const first = await service.get('/deleted-posts/?limit=2');
    expect(first.links).not.toHaveProperty('prev');
    const second = await follow(first, 'next');
    // Another deletion moves no page.
    const { path, id } = await service.create();
    await service.delete(path);
    const third = await follow(second, 'next');
    const back = await follow(third, 'prev');
    expect(back.text).toBe(second.text);
    const start = await follow(await follow(back, 'prev'), 'prev');
    const pages = [first, second, start].map((page) => idsOf(page.json()).join());
    expect(pages).toEqual([`${e},${c}`, `${d},${a}`, `${id}`]);
    expect(idsOf(third.json())[0]).toBe(b);
    expect(start.links).not.toHaveProperty('prev');
    expect(idsOf(await listed('?limit=1'))).toEqual([id]);
    expect(idsOf(await listed(`?deleted_after=${first.json<DeletionJson[]>()[1]!.deleted_at}`))).toEqual(
      expect.arrayContaining([id, e, c]),
    );
    expect(await listed('?deleted_after=9999-12-31')).toEqual([]);
  });

  it('leaves out restored posts, and keeps those whose content was purged', async () => {
    const [restored, purged] = await service.createAll([{}, {}]);
    for (const { id } of [restored!, purged!]) await service.delete(`/posts/${id}/`);
    await admin.send('POST', 'restorations/', { ids: [restored!.id] });
    await admin.send('POST', 'purges/', { ids: [purged!.id] });
    expect(idsOf(await listed('?limit=2'))).toEqual(expect.arrayContaining([purged!.id]));
    expect(idsOf(await listed('?limit=1000'))).not.toContain(restored!.id);
    // Its row is gone, so that no request has to skip it.
    expect(
      await service.app.get(Database).reader.manager.findOneBy(PostDeletion, { id: restored!.id }),
    ).toBeNull();
    await untilNextSecond();
    const again = new Date().toISOString();
    await service.delete(`/posts/${restored!.id}/`);
    expect(idsOf(await listed(`?deleted_after=${again}`))).toEqual([restored!.id]);
  });

  it.each(['?deleted_after=yesterday', '?cursor=abc', '?modified_after=2026-01-01'])(
    'refuses %s',
    async (query) => {
      const { problem } = await service.get(`/deleted-posts/${query}`);
      expect(problem).toMatchObject({ status: 400, code: 'invalid-request' });
    },
  );

  it('allows only reads, and only JSON, and has an entity tag', async () => {
    expect((await service.request('POST', '/deleted-posts/', { json: {} })).status).toBe(405);
    const options = await service.request('OPTIONS', '/deleted-posts/');
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await service.get('/deleted-posts/', { Accept: 'text/csv' })).status).toBe(406);
    const { etag } = await service.get('/deleted-posts/');
    expect((await service.get('/deleted-posts/', { 'If-None-Match': etag })).status).toBe(304);
  });

  it('answers 410 to a time from before HISTORY_DAYS', async () => {
    const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
    const { problem } = await service.get(`/deleted-posts/?deleted_after=${ago(30.01)}`);
    expect(problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    expect((await service.get(`/deleted-posts/?deleted_after=${ago(29.99)}`)).status).toBe(200);
  });

  it('answers to the Last-Modified of a list, however long ago the last change was', async () => {
    const { path } = await service.create();
    await service.delete(path);
    const restsUntil = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1_000 * DAY_MS);
    const lastModified = (await service.get('/posts/?limit=1')).headers['last-modified'] as string;
    const since = new Date(lastModified).toISOString();
    const { status } = await service.get(`/deleted-posts/?deleted_after=${since}`);
    restsUntil.mockRestore();
    expect(status).toBe(200);
  });

  it('has a Last-Modified from before the write that runs, whose changes it does not show', async () => {
    await untilNextSecond();
    const { path } = await service.create();
    await service.delete(path);
    await service.app.get(Database).write(async () => {
      const begunAt = Date.now();
      // The date of a recent change is not shown anyway.
      const later = jest.spyOn(Date, 'now').mockReturnValue(begunAt + 10_000);
      const { headers } = await service.get('/deleted-posts/?limit=1');
      later.mockRestore();
      expect(Date.parse(headers['last-modified']!)).toBeLessThanOrEqual(begunAt - 1_000);
    });
  });

  it('answers 410 to a time from which deletions were forgotten under an earlier setting', async () => {
    const forever = await startService({ HISTORY_DAYS: '0' });
    const { path } = await forever.create();
    await forever.delete(path);
    expect((await forever.get('/deleted-posts/?deleted_after=0001-01-01')).json()).toHaveLength(1);
    const deletions = forever.app.get(PostDeletionsService, { strict: false });
    const deadline = new Date(Date.now() + 1_000).toISOString();
    while (await deletions.forget(`${deadline.slice(0, -1)}000Z`, 1));
    expect((await forever.get('/deleted-posts/')).json()).toEqual([]);
    const { problem } = await forever.get('/deleted-posts/?deleted_after=0001-01-01');
    expect(problem).toMatchObject({ status: 410, code: 'deletions-expired' });
    const later = new Date(Date.now() + 2_000).toISOString();
    expect((await forever.get(`/deleted-posts/?deleted_after=${later}`)).status).toBe(200);
  });
});

// test/database/instances.postgres.load.ts has one on PostgreSQL.
