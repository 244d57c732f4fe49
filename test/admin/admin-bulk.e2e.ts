import { jest } from '@jest/globals';
import { request as openRequest } from 'node:http';
import { InFlightRequests } from '../../src/http/request/in-flight-requests.js';
import { type BulkProgress, BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { startAdminService } from '../support/admin.js';
import type { HttpResponse } from '../support/http-client.js';
import type { PostJson } from '../support/posts.js';
import { until } from '../support/until.js';

const { service, admin, asAdmin } = await startAdminService();

interface Progress {
  done: number;
  total: number;
  entry?: number | null;
}

const send = (name: string, json: object, query = '') => admin.send('POST', `${name}/${query}`, json);
const deleteInBulk = (json: object, query = '') => send('bulk-deletions', json, query);

function linesOf<Line>({ text }: HttpResponse): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function importPosts(posts: readonly object[]): Promise<number> {
  const apiResponse = await service.import(posts.map((post) => JSON.stringify(post)).join('\n'));
  return apiResponse.json<{ first_id: number }>().first_id;
}

async function idsFound(search: string): Promise<number[]> {
  const apiResponse = await service.get(`/posts/?search=${search}&fields=id&ordering=id&limit=1000`);
  return apiResponse.json<PostJson[]>().map(({ id }) => id);
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

const many = (word: string, count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ title: `${word} ${index}`, body: `${word} body` }));

describe('POST /admin/api/bulk-deletions/', () => {
  it('deletes the selected posts, and skips missing posts', async () => {
    const posts = await service.createAll([{ title: 'sel' }, { title: 'sel' }, { title: 'sel' }]);
    const [a, b, c] = posts.map(({ id }) => id) as [number, number, number];
    await service.delete(`/posts/${b}/`);
    const apiResponse = await deleteInBulk({ ids: [a, b] });
    expect(apiResponse.headers['content-type']).toBe('application/x-ndjson');
    expect(linesOf(apiResponse)).toEqual([
      { done: 1, total: 2 },
      { done: 1, total: 2, entry: expect.any(Number) },
    ]);
    expect((await service.get(`/posts/${a}/`)).status).toBe(404);
    expect((await service.get(`/posts/${c}/`)).status).toBe(200);
    const [revision] = (await admin.get(`posts/${a}/revisions/`)).json<
      { action: string; author: object }[]
    >();
    expect(revision).toMatchObject({ action: 'deleted', author: { kind: 'account', name: 'admin' } });
  });

  it('deletes exactly the matching posts in batches, even posts with large bodies', async () => {
    await importPosts([...many('purple', 450), { title: 'purple large', body: 'x'.repeat(100_000) }]);
    await importPosts(many('green', 3));
    const ids = await idsFound('purple');
    const steps = linesOf<Progress>(await deleteInBulk({ count: 451 }, '?search=purple'));
    expect(steps.map(({ done, total }) => `${done}/${total}`)).toEqual([
      '200/451',
      '400/451',
      '451/451',
      '451/451',
    ]);
    expect(await idsFound('purple')).toEqual([]);
    expect(await idsFound('green')).toHaveLength(3);
    const { headers } = await service.get('/posts/?limit=1', { Prefer: 'count=exact' });
    const all = (await service.get('/posts/?limit=1000&fields=id')).json<object[]>();
    expect(Number(headers['x-total-count'])).toBe(all.length);
    // The deletion can be undone.
    const { entry } = steps.at(-1)!;
    const restored = linesOf<Progress>(await send('restorations', { entry }));
    expect(restored.at(-1)).toEqual({ done: 451, total: 451, entry: expect.any(Number) });
    expect(await idsFound('purple')).toEqual(ids);
    const large = (await service.get('/posts/?title=purple+large')).json<PostJson[]>();
    expect(large.map(({ body }) => body.length)).toEqual([100_000]);
  });

  it('deletes nothing when the number of matching posts has changed', async () => {
    await importPosts(many('counted', 4));
    const apiResponse = await deleteInBulk({ count: 3 }, '?search=counted');
    const detail = 'By now 4 posts match, not 3; nothing was changed.';
    expect(apiResponse.problem).toMatchObject({ status: 409, detail });
    expect(await idsFound('counted')).toHaveLength(4);
  });

  it('allows other writes between batches, and keeps posts that these create or change', async () => {
    const last = (await importPosts(many('busy', 600))) + 599;
    const made: number[] = [];
    pauseAfterBatches(async () => {
      made.push((await service.create({ title: 'busy, new' })).id);
      if (made.length > 1) return;
      expect((await service.put(`/posts/${last}/`, { title: 'busy, changed', body: '' })).status).toBe(200);
    });
    const steps = linesOf<Progress>(await deleteInBulk({ count: 600 }, '?search=busy'));
    expect(steps.map(({ done }) => done)).toEqual([200, 400, 599, 599]);
    expect(await idsFound('busy')).toEqual([last, ...made]);
  });

  it('stops when its client disconnects', async () => {
    await importPosts(many('left', 600));
    const headers = { 'Content-Type': 'application/json', ...asAdmin };
    const request = openRequest(`${service.origin}/admin/api/bulk-deletions/?search=left`, {
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
    expect(await idsFound('left')).toHaveLength(200);
  });

  it.each([
    [{}, '', 'pointer '],
    [{ count: 1 }, '?colour=red', 'parameter colour'],
    [{ count: -1 }, '', 'pointer /count'],
  ])('refuses %j%s', async (json, query, place) => {
    expect((await deleteInBulk(json, query)).faultyPlaces).toEqual([place]);
  });
});

describe('POST /admin/api/restorations/ and purges/', () => {
  it('take any number of deleted posts: by ids, by a search, or by the entry that deleted them', async () => {
    const first = await importPosts(many('heron', 2_300));
    const ids = Array.from({ length: 2_300 }, (_, index) => first + index);
    const deletions = linesOf<Progress>(await deleteInBulk({ ids }));
    expect(deletions.at(-1)).toMatchObject({ done: 2_300, total: 2_300 });
    const count = async (): Promise<unknown> => (await admin.get('deleted-posts/count/?search=heron')).json();
    expect(await count()).toEqual({ count: 2_300 });

    const part = linesOf<Progress>(await send('restorations', { ids: ids.slice(0, 1_200) }));
    expect(part.at(-1)!.done).toBe(1_200);
    // Posts that are not deleted any more are skipped.
    const rest = linesOf<Progress>(await send('restorations', { entry: deletions.at(-1)!.entry! }));
    expect(rest.at(-1)).toMatchObject({ done: 1_100, total: 1_100 });
    expect(await count()).toEqual({ count: 0 });

    await deleteInBulk({ count: 2_300 }, '?search=heron');
    expect((await send('purges', { count: 2_299 }, '?search=heron')).status).toBe(409);
    const purged = linesOf<Progress>(await send('purges', { count: 2_300 }, '?search=heron'));
    expect(purged.length).toBeGreaterThan(10);
    expect(purged.at(-1)).toEqual({ done: 2_300, total: 2_300, entry: expect.any(Number) });
    expect(await count()).toEqual({ count: 0 });
    expect(linesOf<Progress>(await send('restorations', { ids })).at(-1)!.done).toBe(0);
  });
});

describe('GET /admin/api/excerpts/', () => {
  it('returns the beginning of each post in one line', async () => {
    const [a, b] = await service.createAll([{ body: `  one\r\n\r\ntwo ${'😀'.repeat(300)}` }, { body: '' }]);
    const apiResponse = await admin.get(`excerpts/?id=${b!.id},9000000,${a!.id}`);
    expect(apiResponse.json()).toEqual([
      { id: b!.id, excerpt: '' },
      { id: a!.id, excerpt: `one two ${'😀'.repeat(192)}` },
    ]);
    expect((await admin.get('excerpts/')).json()).toEqual([]);
    expect((await admin.get('excerpts/?id=x')).faultyPlaces).toEqual(['parameter id']);
  });
});

describe('GET /admin/api/months/', () => {
  it('counts posts by month, with the filters of a list and a time zone', async () => {
    await service.createAll([
      { title: 'monthly', pub_date: '1999-12-31T23:59:59.999999Z' },
      { title: 'monthly', pub_date: '2000-01-01T00:00:00Z' },
      { title: 'monthly', pub_date: '2000-01-31T23:59:59Z' },
      { title: 'other', pub_date: '2000-01-15T00:00:00Z' },
      { title: 'monthly', pub_date: '2000-03-01T00:00:00+01:00' },
    ]);
    const range = 'pub_date_after=1999-01-01&pub_date_before=2000-12-31';
    const months = async (query: string) =>
      (await admin.get(`months/?${query}`))
        .json<{ month: string; posts: number }[]>()
        .map(({ month, posts }) => `${month}: ${posts}`);
    const inNewYork = `${range}&time_zone=America/New_York`;
    expect(await months(range)).toEqual(['2000-02: 1', '2000-01: 3', '1999-12: 1']);
    expect(await months(`${range}&search=monthly`)).toEqual(['2000-02: 1', '2000-01: 2', '1999-12: 1']);
    expect(await months(inNewYork)).toEqual(['2000-02: 1', '2000-01: 2', '1999-12: 2']);
    expect(await months(`${inNewYork}&search=monthly`)).toEqual(['2000-02: 1', '2000-01: 1', '1999-12: 2']);
    expect((await admin.get('months/?time_zone=Mars/Olympus')).faultyPlaces).toEqual(['parameter time_zone']);
    const part = 'pub_date_after=2000-01-10&pub_date_before=2000-01-31T23:59:59Z';
    expect(await months(part)).toEqual(['2000-01: 1']);
    expect(await months(`${range}&search=!`)).toEqual([]);
    const all = (await admin.get('months/')).json<{ posts: number }[]>();
    const { headers } = await service.get('/posts/?limit=1', { Prefer: 'count=exact' });
    expect(all.reduce((sum, { posts }) => sum + posts, 0)).toBe(Number(headers['x-total-count']));
    const refused = await admin.get('months/?title=x&pub_date_after=x');
    expect(refused.faultyPlaces).toEqual(['parameter title', 'parameter pub_date_after']);
  });
});

describe('GET /admin/api/dashboard/', () => {
  it('shows the state of the service', async () => {
    const now = new Date().toISOString();
    await service.create({ title: 'newest', pub_date: now });
    await service.create({ title: 'of the future', pub_date: '9999-12-31' });
    const apiResponse = await admin.get('dashboard/');
    const dashboard = apiResponse.json<{
      posts_per_month: { month: string; posts: number }[];
      latest_changes: { title: string }[];
    }>();
    expect(dashboard).toMatchObject({
      posts: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      database: { kind: globalThis.TEST_DATABASE, size_bytes: expect.any(Number) },
      health: { status: 'ok' },
    });
    expect(dashboard.posts_per_month[0]).toEqual({ month: now.slice(0, 7), posts: expect.any(Number) });
    expect(dashboard.posts_per_month[0]!.posts).toBeGreaterThan(0);
    expect(dashboard.posts_per_month.length).toBeLessThanOrEqual(12);
    expect(dashboard.latest_changes).toHaveLength(10);
    expect(dashboard.latest_changes.slice(0, 2).map(({ title }) => title)).toEqual([
      'of the future',
      'newest',
    ]);
    expect((await service.get('/admin/api/dashboard/')).status).toBe(401);
  });
});
