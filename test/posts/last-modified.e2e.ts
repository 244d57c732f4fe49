import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { BulkChangesService } from '../../src/bulk-changes/bulk-changes.service.js';
import { ANONYMOUS } from '../../src/http/request/author.js';
import { finish } from '../support/bulk.js';
import { parseLinks } from '../support/links.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const NDJSON = { Accept: 'application/x-ndjson' };

async function untilNextSecond(): Promise<void> {
  await sleep(1_000 - (Date.now() % 1_000) + 5);
}

/** Repeats the steps until they all run within one second. */
async function withinOneSecond<T>(steps: () => Promise<T>): Promise<T> {
  await untilNextSecond();
  const second = Math.floor(Date.now() / 1_000);
  const result = await steps();
  return Math.floor(Date.now() / 1_000) === second ? result : withinOneSecond(steps);
}

/** Lets time pass in the service, but not in the database. */
function letPass(ms: number): void {
  const now = Date.now();
  const startedAt = performance.now();
  jest.spyOn(Date, 'now').mockImplementation(() => now + ms + performance.now() - startedAt);
}
afterEach(() => jest.restoreAllMocks());

const dateOf = async (target: string, headers = {}): Promise<string> =>
  (await service.get(target, headers)).headers['last-modified']!;

const statusSince = async (target: string, date: string, headers = {}): Promise<number> =>
  (await service.get(target, { ...headers, 'If-Modified-Since': date })).status;

const put = async (path: string, title: string, headers = {}): Promise<number> =>
  (await service.put(path, aPost({ title }), headers)).status;

const imf = (ms: number): string => new Date(ms).toUTCString();

describe('Last-Modified', () => {
  it('is the time of the last change: of the post, or of any post for a list', async () => {
    const other = await service.create();
    const lists = [`/posts/?id=${other.id}`, '/posts/?title=none', '/posts/?limit=1', '/deleted-posts/'];
    const datesOfLists = async (): Promise<Set<string>> =>
      new Set([await dateOf('/posts/', NDJSON), ...(await Promise.all(lists.map((list) => dateOf(list))))]);
    await untilNextSecond();
    const startedAt = Date.now();
    const created = await service.post(aPost());
    const path = `/posts/${created.json<PostJson>().id}/`;
    const createdAt = created.headers['last-modified']!;
    expect(Date.parse(createdAt)).toBeGreaterThan(startedAt - 1_000);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    expect((await service.request('HEAD', path)).headers['last-modified']).toBe(createdAt);
    // A list shows the date of a second once the second is over.
    await untilNextSecond();
    expect([await dateOf(path), await datesOfLists()]).toEqual([createdAt, new Set([createdAt])]);

    const replaced = await service.put(path, aPost({ title: 'New' }));
    const replacedAt = replaced.headers['last-modified']!;
    expect(Date.parse(replacedAt)).toBeGreaterThan(Date.parse(createdAt));
    await untilNextSecond();
    // This update changes nothing.
    const same = await service.put(path, aPost({ title: 'New' }));
    expect(same.headers['last-modified']).toBe(replacedAt);
    expect([await dateOf(path), await datesOfLists()]).toEqual([replacedAt, new Set([replacedAt])]);

    let changedAt = replacedAt;
    const bulkChanges = service.app.get(BulkChangesService, { strict: false });
    for (const change of [
      () => service.delete(other.path),
      () => finish(bulkChanges.restorePosts({ ids: [other.id] }, ANONYMOUS)),
    ]) {
      await change();
      await untilNextSecond();
      const shown = await dateOf('/posts/');
      expect(Date.parse(shown)).toBeGreaterThan(Date.parse(changedAt));
      expect([await dateOf(path), await datesOfLists()]).toEqual([replacedAt, new Set([shown])]);
      changedAt = shown;
    }
  });
});

describe('the times of an Atom feed', () => {
  it('are those of the last change, of each entry and of the feed', async () => {
    const startedAt = new Date(Date.now() - 1).toISOString();
    const old = await service.create({ pub_date: '2020-01-01T00:00:00.000Z' });
    const future = await service.create({ pub_date: '9999-12-31T23:59:59.999Z' });
    await put(old.path, 'Changed');
    const { text } = await service.get(`/posts/?id=${old.id},${future.id}`, {
      Accept: 'application/atom+xml',
    });
    const [feed, ofFuture, ofOld, ...others] = text.match(/(?<=<updated>).*?(?=<\/updated>)/g)!;
    expect([feed, others]).toEqual([ofOld, []]);
    expect([startedAt <= ofFuture!, ofFuture! <= ofOld!, ofOld! <= new Date().toISOString()]).not.toContain(
      false,
    );
  });
});

// src/http/protocol/last-modified.spec.ts has all forms of dates.
describe('If-Modified-Since and If-Unmodified-Since', () => {
  it('compare the date with that of the post or the list', async () => {
    await untilNextSecond();
    const post = await service.create();
    const time = Date.parse(await dateOf(post.path));
    const [earlier, date, later] = [imf(time - 1_000), imf(time), imf(time + 1_000)];
    const targets: [string, Record<string, string>][] = [
      [post.path, {}],
      ['/posts/', {}],
      ['/deleted-posts/', {}],
      [`/posts/?id=${post.id}`, { Accept: 'application/atom+xml' }],
      ['/posts/', NDJSON],
    ];
    for (const [target, headers] of targets) {
      const unmodified = (since: string, others = {}) =>
        service.get(target, { ...headers, ...others, 'If-Unmodified-Since': since });
      expect((await unmodified(date)).status).toBe(200);
      expect((await unmodified(earlier)).problem).toMatchObject({ status: 412, code: 'precondition-failed' });
      expect((await unmodified(earlier, { 'If-Match': '*' })).status).toBe(200);
    }
    letPass(1_000);
    for (const [target, headers] of targets) {
      // Twice, so that the second response can come from the cache.
      for (const since of [date, later, date, later])
        expect([target, await statusSince(target, since, headers)]).toEqual([target, 304]);
      for (const since of [earlier, imf(time + 86_400_000), new Date().toISOString()])
        expect([target, since, await statusSince(target, since, headers)]).toEqual([target, since, 200]);
    }
    const headers = { 'If-Modified-Since': date };
    const { status, etag } = await service.request('HEAD', post.path, { headers });
    expect([status, etag]).toEqual([304, post.etag]);
    for (const tag of ['"a"', 'malformed'])
      expect(await statusSince(post.path, date, { 'If-None-Match': tag })).toBe(200);
    expect(await statusSince(post.path, imf(0), { 'If-None-Match': post.etag })).toBe(304);
  });

  it('distinguish the states of one second, and accept exactly one of several writes', async () => {
    const { post, date, dates, outcomes, changedAt } = await withinOneSecond(async () => {
      const created = await service.create();
      const shown = await dateOf(created.path);
      const shownInLists = [await dateOf('/posts/'), await dateOf('/posts/', NDJSON)];
      const before = await statusSince(created.path, shown);
      const racing = ['a', 'b', 'c'].map((title) =>
        put(created.path, title, { 'If-Unmodified-Since': shown }),
      );
      return {
        post: created,
        date: shown,
        dates: shownInLists,
        outcomes: [before, ...(await Promise.all(racing)).toSorted((a, b) => a - b)],
        changedAt: Math.floor(Date.now() / 1_000) * 1_000,
      };
    });
    expect(outcomes).toEqual([304, 200, 412, 412]);
    for (const each of dates) {
      expect(Date.parse(each)).toBeLessThan(changedAt);
      expect(await statusSince('/posts/', each)).toBe(200);
    }
    const removeUnmodified = async (since: string): Promise<number> =>
      (await service.delete(post.path, { 'If-Unmodified-Since': since })).status;
    await untilNextSecond();
    expect(await dateOf('/posts/')).toBe(imf(changedAt));
    expect(await statusSince('/posts/', imf(changedAt))).toBe(304);

    const clock = jest.spyOn(Date, 'now');
    for (const ms of [0, 2_900]) {
      clock.mockReturnValue(changedAt + ms);
      expect(await dateOf(post.path)).toBe(date);
      expect([await statusSince(post.path, date), await removeUnmodified(date)]).toEqual([200, 412]);
    }
    // The date of the next second identifies only the current state.
    clock.mockReturnValue(changedAt + 3_100);
    expect([await statusSince(post.path, date), await removeUnmodified(date)]).toEqual([200, 412]);
    const settled = await dateOf(post.path);
    expect(Date.parse(settled)).toBe(Date.parse(date) + 1_000);
    expect(await statusSince(post.path, settled)).toBe(304);
    expect([await removeUnmodified(settled), await removeUnmodified(settled)]).toEqual([204, 404]);
  });
});

describe('modified_after', () => {
  const idsSince = async (date: string, query = ''): Promise<number[]> => {
    const filter = `modified_after=${encodeURIComponent(date)}&ordering=modified&limit=1000${query}`;
    const response = await service.get(`/posts/?${filter}`);
    expect(response.status).toBe(200);
    return response.json<PostJson[]>().map(({ id }) => id);
  };

  it('selects posts changed since a date, in the order of change, without deleted posts', async () => {
    const [a, b, c, d] = [
      await service.create(),
      await service.create(),
      await service.create(),
      await service.create(),
    ];
    await untilNextSecond();
    const date = new Date().toISOString();
    expect(await idsSince(date)).toEqual([]);
    await put(c.path, 'Changed 1');
    await put(a.path, 'Changed 2');
    const e = await service.create({ title: 'Changed 3', pub_date: '2001-01-01T00:00:00.000Z' });
    await put(d.path, 'Changed 4');
    await service.delete(d.path);
    expect(await idsSince(date)).toEqual([c.id, a.id, e.id]);
    expect(await idsSince(date, `&id=${a.id},${b.id}`)).toEqual([a.id]);
    expect(await idsSince(date, '&pub_date_before=2002-01-01')).toEqual([e.id]);
    expect(await idsSince(date, '&search=changed+2')).toEqual([a.id]);
    expect(await idsSince(date, '&title=Changed+1')).toEqual([c.id]);

    const query = `/posts/?modified_after=${date}&fields=id&ordering`;
    const page = await service.get(`${query}=-modified&limit=1`, { Prefer: 'count=exact' });
    expect([page.json(), page.headers['x-total-count']]).toEqual([[{ id: e.id }], '3']);
    const next = parseLinks(page.headers['link'])['next']!;
    expect((await service.get(next)).json()).toEqual([{ id: a.id }]);
    const unlike = next.replace('modified_after=2', 'modified_after=1');
    expect((await service.get(unlike)).faultyPlaces).toEqual(['parameter cursor']);
    const csv = await service.get(`${query}=-modified`, { Accept: 'text/csv' });
    expect(csv.text).toBe(`id\r\n${e.id}\r\n${a.id}\r\n${c.id}\r\n`);
    const byDate = await service.get(`${query}=pub_date`, NDJSON);
    expect(byDate.text).toBe([e, a, c].map(({ id }) => `{"id":${id}}\n`).join(''));
  });
});
