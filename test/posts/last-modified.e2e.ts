import { setTimeout as sleep } from 'node:timers/promises';
import { startAdminService } from '../support/admin.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const { service, admin } = await startAdminService();

const NDJSON = { Accept: 'application/x-ndjson' };

/** Waits until the dates of all changes so far are shown. */
async function untilSettled(): Promise<void> {
  await sleep(3_000 - (Date.now() % 1_000) + 5);
}

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
    const { path } = await service.create();
    let ofPost = '';
    const changes: [() => Promise<unknown>, boolean][] = [
      [() => put(path, 'New'), true],
      [() => service.delete(other.path), false],
      [() => admin.send('POST', 'restorations/', { ids: [other.id] }), false],
    ];
    for (const [change, isOfPost] of changes) {
      const startedAt = Date.now();
      await change();
      await dateOf(path);
      await datesOfLists();
      await untilSettled();
      const shown = await dateOf('/posts/');
      expect(Date.parse(shown)).toBeGreaterThan(startedAt - 1_000);
      expect(Date.parse(shown)).toBeLessThanOrEqual(Date.now() - 2_000);
      if (isOfPost) ofPost = shown;
      expect([await dateOf(path), await datesOfLists()]).toEqual([ofPost, new Set([shown])]);
    }
    expect((await service.request('HEAD', path)).headers['last-modified']).toBe(ofPost);
    // This update changes nothing.
    expect((await service.put(path, aPost({ title: 'New' }))).headers['last-modified']).toBe(ofPost);
  });

  it('is at least two seconds before the response, so that a later change has a later date', async () => {
    const { path } = await service.create();
    const targets: [string, object?][] = [[path], ['/posts/'], ['/posts/', NDJSON], ['/deleted-posts/']];
    for (const title of ['a', 'b', 'c']) {
      const dates = await Promise.all(targets.map(([target, headers]) => dateOf(target, headers)));
      for (const each of dates) expect(Date.parse(each)).toBeLessThanOrEqual(Date.now() - 2_000);
      expect(await put(path, title, { 'If-Unmodified-Since': dates[0] })).toBe(412);
      await put(path, title);
      for (const [index, [target, headers]] of targets.entries())
        expect([target, await statusSince(target, dates[index]!, headers)]).toEqual([target, 200]);
    }
  });
});

describe('the time of a change', () => {
  it('never precedes that of an earlier one, even if the clock was set back', async () => {
    const own = await startService();
    const ahead = '2100-01-01T00:00:00.000';
    await own.database.execute(`UPDATE posts_counters SET modified = '${ahead}000Z'`);
    const created = await own.create();
    await own.put(created.path, aPost({ title: 'New' }));
    await own.import('{"title":"one","body":""}\n{"title":"two","body":""}');
    const posts = (await own.get('/posts/?fields=modified')).json<{ modified: string }[]>();
    expect(posts.map(({ modified }) => modified)).toEqual(Array(3).fill(`${ahead}Z`));
  });
});

// src/http/protocol/last-modified.spec.ts has all forms of dates.
describe('If-Modified-Since and If-Unmodified-Since', () => {
  it('compare the date with that of the post or the list', async () => {
    const post = await service.create();
    const targets: [string, Record<string, string>][] = [
      [post.path, {}],
      ['/posts/', {}],
      ['/deleted-posts/', {}],
      [`/posts/?id=${post.id}`, { Accept: 'text/csv' }],
      ['/posts/', NDJSON],
    ];
    await untilSettled();
    const date = await dateOf(post.path);
    const time = Date.parse(date);
    const [earlier, later] = [imf(time - 1_000), imf(time + 1_000)];
    for (const [target, headers] of targets) {
      const unmodified = (since: string, others = {}) =>
        service.get(target, { ...headers, ...others, 'If-Unmodified-Since': since });
      expect((await unmodified(date)).status).toBe(200);
      expect((await unmodified(earlier)).problem).toMatchObject({ status: 412, code: 'precondition-failed' });
      expect((await unmodified(earlier, { 'If-Match': '*' })).status).toBe(200);
      // Twice, so that the second response can come from the cache.
      for (const since of [date, date])
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
    await untilSettled();
    expect(await statusSince(post.path, later)).toBe(304);
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
    await sleep(2);
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
    expect(await idsSince(date, '&title=Changed+1')).toEqual([c.id]);

    const query = `/posts/?modified_after=${date}&fields=id&ordering`;
    const page = await service.get(`${query}=-modified&limit=1`, { Prefer: 'count=exact' });
    expect([page.json(), page.headers['x-total-count']]).toEqual([[{ id: e.id }], '3']);
    const next = page.links['next']!;
    expect((await service.get(next)).json()).toEqual([{ id: a.id }]);
    const unlike = next.replace('modified_after=2', 'modified_after=1');
    expect((await service.get(unlike)).faultyPlaces).toEqual(['parameter cursor']);
    const csv = await service.get(`${query}=-modified`, { Accept: 'text/csv' });
    expect(csv.text).toBe(`id\r\n${e.id}\r\n${a.id}\r\n${c.id}\r\n`);
    const byDate = await service.get(`${query}=pub_date`, NDJSON);
    expect(byDate.text).toBe([e, a, c].map(({ id }) => `{"id":${id}}\n`).join(''));
  });
});
