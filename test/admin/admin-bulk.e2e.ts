import { jest } from '@jest/globals';
import { request as openRequest } from 'node:http';
import type { DashboardDto } from '../../src/admin/overview.controller.js';
import { InFlightRequests } from '../../src/http/server/in-flight-requests.js';
import { type BulkProgress, BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { until } from '../support/until.js';

const { service, admin, asAdmin } = await startAdminService();

const send = (name: string, json: object, query = '') => admin.send('POST', `${name}/${query}`, json);
const deleteInBulk = (json: object, query = '') => send('bulk-deletions', json, query);

function linesOf<Line>({ text }: HttpResponse): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function importPosts(posts: readonly object[]): Promise<void> {
  await service.import(posts.map((post) => JSON.stringify(post)).join('\n'));
}

/** Selects the posts of a year. Each test has its own. */
const of = (year: number): string => `?pub_date_after=${year}-01-01&pub_date_before=${year + 1}-01-01`;

async function idsOf(year: number): Promise<number[]> {
  const response = await service.get(`/posts/${of(year)}&fields=id&ordering=id&limit=1000`);
  return response.json<PostJson[]>().map(({ id }) => id);
}

/** Pauses each bulk deletion after each of its batches. @returns whether one has ended */
function pauseAfterBatches(pause: (progress: BulkProgress) => Promise<void>): { readonly isOver: boolean } {
  const bulkChanges = service.app.get(BulkChangesService);
  const deletePosts = bulkChanges.deletePosts.bind(bulkChanges);
  const seen = { isOver: false };
  jest.spyOn(bulkChanges, 'deletePosts').mockImplementation(async (...parameters) => {
    const run = await deletePosts(...parameters);
    async function* paused(): AsyncGenerator<BulkProgress> {
      try {
        for await (const progress of run) {
          await pause(progress);
          yield progress;
        }
      } finally {
        seen.isOver = true;
      }
    }
    return paused();
  });
  return seen;
}

afterEach(() => jest.restoreAllMocks());

const dateIn = (year: number): string => `${year}-06-01T00:00:00Z`;

const many = (year: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ title: `Post ${index}`, body: '', pub_date: dateIn(year) }));

describe('POST /admin/api/bulk-deletions/', () => {
  it('allows other writes between batches, and keeps posts that these create or change', async () => {
    await importPosts(many(2001, 600));
    const last = (await idsOf(2001)).at(-1)!;
    const made: number[] = [];
    pauseAfterBatches(async () => {
      made.push((await service.create({ pub_date: dateIn(2001) })).id);
      if (made.length > 1) return;
      const changed = { title: 'Changed', body: '', pub_date: dateIn(2001) };
      expect((await service.put(`/posts/${last}/`, changed)).status).toBe(200);
    });
    const steps = linesOf<BulkProgress>(await deleteInBulk({ count: 600 }, of(2001)));
    expect(steps.map(({ done }) => done)).toEqual([200, 400, 599, 599]);
    expect(await idsOf(2001)).toEqual([last, ...made]);
  });

  it('stops when its client disconnects', async () => {
    await importPosts(many(2002, 600));
    const headers = { 'Content-Type': 'application/json', ...asAdmin };
    const request = openRequest(`${service.origin}/admin/api/bulk-deletions/${of(2002)}`, {
      method: 'POST',
      headers,
    });
    request.on('error', () => undefined);
    const inFlightRequests = service.app.get(InFlightRequests);
    const seen = pauseAfterBatches(async ({ done }) => {
      if (done < 400) return;
      request.destroy();
      await until(() => inFlightRequests.count === 0);
    });
    request.end(JSON.stringify({ count: 600 }));
    await until(() => seen.isOver);
    expect(await idsOf(2002)).toHaveLength(200);
  });
});

describe('a bulk change', () => {
  it.each([
    ['disabled', 2003, { is_enabled: false }],
    ['demoted', 2004, { role: 'viewer' }],
    ['locked', 2005, { password: 'another long password' }],
  ])('ends when its account is %s', async (_, year, change) => {
    await importPosts(many(year, 300));
    const person = await admin.addPerson('editor');
    pauseAfterBatches(async ({ done }) => {
      if (done === 200) await admin.change(person, change);
    });
    await expect(person.send('POST', `bulk-deletions/${of(year)}`, { count: 300 })).rejects.toThrow(
      /aborted|ECONNRESET/,
    );
    expect(await idsOf(year)).toHaveLength(100);
  });
});

describe('a selection', () => {
  it('of any number is deleted, restored and purged in batches: by ids, by dates, or by an entry', async () => {
    const large = { title: 'Large', body: 'x'.repeat(100_000), pub_date: dateIn(2006) };
    await importPosts([...many(2006, 450), large]);
    await importPosts(many(2007, 3));
    const ids = await idsOf(2006);
    const countDeleted = async () =>
      (await admin.get('deleted-posts/count/')).json<{ count: number }>().count;
    const deletedBefore = await countDeleted();
    const lastOf = (response: HttpResponse): BulkProgress => linesOf<BulkProgress>(response).at(-1)!;

    const detail = 'By now 451 posts match, not 450; nothing was changed.';
    expect((await deleteInBulk({ count: 1_000_001 })).faultyPlaces).toEqual(['pointer /count']);
    const { problem } = await deleteInBulk({ count: 450 }, of(2006));
    expect(problem).toMatchObject({ status: 409, detail });
    const response = await deleteInBulk({ count: 451 }, of(2006));
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    const steps = linesOf<BulkProgress>(response);
    expect(steps.map(({ done, total }) => [done, total])).toEqual([
      [200, 451],
      [400, 451],
      [451, 451],
      [451, 451],
    ]);
    expect([await idsOf(2006), (await idsOf(2007)).length]).toEqual([[], 3]);
    expect(await countDeleted()).toBe(deletedBefore + 451);
    const all = (await service.get('/posts/?limit=1000&fields=id')).json<object[]>();
    expect(await service.count()).toBe(all.length);

    expect(lastOf(await send('restorations', { ids: ids.slice(0, 250) })).done).toBe(250);
    // Posts that are not deleted any more are skipped.
    const rest = lastOf(await send('restorations', { entry: steps.at(-1)!.entry! }));
    expect(rest).toEqual({ done: 201, total: 201, entry: expect.any(Number) });
    expect(await idsOf(2006)).toEqual(ids);
    const restored = (await service.get(`/posts/${of(2006)}&title=Large`)).json<PostJson[]>();
    expect(restored.map(({ body }) => body.length)).toEqual([100_000]);

    // Posts that are missing are skipped, too.
    expect(lastOf(await deleteInBulk({ ids: [...ids, 9_000_000] }))).toMatchObject({ done: 451, total: 452 });
    expect((await send('purges', { count: 450 })).status).toBe(409);
    const purged = lastOf(await send('purges', { ids }));
    expect(purged).toEqual({ done: 451, total: 451, entry: expect.any(Number) });
    expect(await countDeleted()).toBe(deletedBefore);
    expect(lastOf(await send('restorations', { ids })).done).toBe(0);
  });

  it.each([
    ['bulk-deletions', {}, '', 'required '],
    ['bulk-deletions', { count: 1 }, '?colour=red', 'unknown_parameter colour'],
    ['restorations', { ids: [1], entry: 1 }, '', 'mutually_exclusive '],
    ['restorations', { entry: 0 }, '', 'out_of_range /entry'],
    ['restorations', { ids: [1, 1] }, '', 'repeated /ids'],
    ['restorations', { ids: [1, '2'] }, '', 'not_an_integer /ids'],
    ['restorations', { ids: [] }, '', 'blank /ids'],
    ['restorations', { ids: '1,2' }, '', 'not_an_array /ids'],
  ])('is refused by %s: %j%s', async (name, json, query, fault) => {
    const { errors } = (await send(name, json, query)).problem;
    expect(errors!.map(({ code, pointer, parameter }) => `${code} ${pointer ?? parameter}`)).toEqual([fault]);
  });

  it('has at most 20,000 ids', async () => {
    const ids = Array.from({ length: 20_001 }, (_, index) => 1_000_000 + index);
    expect((await send('restorations', { ids })).faultyPlaces).toEqual(['pointer /ids']);
    expect((await send('restorations', { ids: ids.slice(1) })).text).toContain('{"done":0,"total":20000,');
  });
});

describe('GET /admin/api/excerpts/', () => {
  it('returns the beginning of each post in one line', async () => {
    const [a, b] = await service.createAll([
      { body: `  one\r\n\r\n\u2003two ${'😀'.repeat(300)}` },
      { body: '' },
    ]);
    const response = await admin.get(`excerpts/?id=${b!.id},9000000,${a!.id}`);
    expect(response.json()).toEqual([
      { id: b!.id, excerpt: '' },
      { id: a!.id, excerpt: `one two ${'😀'.repeat(192)}` },
    ]);
    expect((await admin.get('excerpts/')).json()).toEqual([]);
    expect((await admin.get('excerpts/?id=x')).faultyPlaces).toEqual(['parameter id']);
  });
});

describe('GET /admin/api/dashboard/', () => {
  it('shows the state of the service', async () => {
    const now = new Date().toISOString();
    await service.create({ title: 'newest', pub_date: now });
    await service.create({ title: 'of the future', pub_date: '9999-12-31' });
    // Months are those of UTC.
    const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
    const lastMonth = new Date(Date.UTC(year, month) - 1).toISOString();
    await service.create({ title: 'of the last month', pub_date: lastMonth });
    const dashboard = (await admin.get('dashboard/')).json<DashboardDto>();
    expect(dashboard).toMatchObject({
      posts: await service.count(),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      database: { kind: globalThis.TEST_DATABASE, size_bytes: expect.any(Number) },
    });
    expect(dashboard.posts_per_month[0]).toEqual({ month: now.slice(0, 7), posts: expect.any(Number) });
    expect(dashboard.posts_per_month[0]!.posts).toBeGreaterThan(0);
    expect(dashboard.posts_per_month[1]).toEqual({ month: lastMonth.slice(0, 7), posts: 1 });
    expect(dashboard.posts_per_month.length).toBeLessThanOrEqual(12);
    expect(dashboard.latest_changes).toHaveLength(10);
    expect(dashboard.latest_changes.slice(0, 2)).toMatchObject([
      { title: 'of the last month' },
      { title: 'of the future' },
    ]);
  });
});
