import { setTimeout as sleep } from 'node:timers/promises';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

const DAY_MS = 86_400_000;
const NDJSON = { Accept: 'application/x-ndjson' };

/** Waits for the start of the next second, so that the following steps fall into one second. */
async function untilNextSecond(): Promise<void> {
  await sleep(1_000 - (Date.now() % 1_000) + 5);
}

const dateOf = async (target: string, headers = {}): Promise<string> =>
  (await service.get(target, headers)).headers['last-modified']!;

const since = async (target: string, date: string, headers = {}): Promise<number> =>
  (await service.get(target, { ...headers, 'If-Modified-Since': date })).status;

const put = async (path: string, title: string, headers = {}): Promise<number> =>
  (await service.put(path, aPost({ title }), headers)).status;

const imf = (ms: number): string => new Date(ms).toUTCString();

describe('Last-Modified', () => {
  it('of a post is the second of its last change, on every response that shows it', async () => {
    await untilNextSecond();
    const startedAt = Math.floor(Date.now() / 1_000) * 1_000;
    const created = await service.post(aPost());
    const path = `/posts/${created.json<PostJson>().id}/`;
    expect(created.headers['last-modified']).toBe(imf(startedAt));
    expect(await dateOf(path)).toBe(imf(startedAt));
    expect((await service.request('HEAD', path)).headers['last-modified']).toBe(imf(startedAt));
    await untilNextSecond();
    const replaced = await service.put(path, aPost({ title: 'New' }));
    const date = replaced.headers['last-modified']!;
    expect(Date.parse(date)).toBeGreaterThan(startedAt);
    expect(await dateOf(path)).toBe(date);
    await untilNextSecond();
    // This update changes nothing.
    expect((await service.put(path, aPost({ title: 'New' }))).headers['last-modified']).toBe(date);
    expect(await dateOf(path)).toBe(date);
  });

  it('of a list, of a page of no posts and of an export is that of the last change of any post', async () => {
    const [one, other] = [await service.create(), await service.create()];
    const lists = [`/posts/?id=${one.id}`, '/posts/?title=none', '/posts/?limit=1'];
    const changes: (() => Promise<unknown>)[] = [
      () => put(other.path, 'Changed'),
      () => service.delete(other.path),
      () => service.create(),
    ];
    let before = 0;
    for (const change of changes) {
      await untilNextSecond();
      const changedAt = Math.floor(Date.now() / 1_000) * 1_000;
      await change();
      for (const list of lists) expect(await dateOf(list)).toBe(imf(changedAt));
      expect(await dateOf('/posts/', NDJSON)).toBe(imf(changedAt));
      expect(changedAt).toBeGreaterThan(before);
      before = changedAt;
    }
  });
});

describe('If-Modified-Since', () => {
  it.each<[string, (ms: number) => string]>([
    ['the date', imf],
    ['a later date', (ms) => imf(ms + 1_000)],
    ['the date of RFC 850', (ms) => rfc850(ms)],
    ['the date of asctime', (ms) => asctime(ms)],
  ])('answers 304 to %s, of a post and of lists', async (_, write) => {
    await untilNextSecond();
    const post = await service.create();
    const time = Date.parse(await dateOf(post.path));
    await untilNextSecond();
    for (const [target, headers] of [
      [post.path, {}],
      ['/posts/', {}],
      [`/posts/?id=${post.id}`, { Accept: 'application/atom+xml' }],
      ['/posts/', NDJSON],
      ['/posts/', { Accept: 'text/csv' }],
    ] as const) {
      // Twice, so that the second response can come from the cache.
      for (let asked = 0; asked < 2; asked += 1) expect(await since(target, write(time), headers)).toBe(304);
    }
    const { status, headers, bytes } = await service.request('HEAD', post.path, {
      headers: { 'If-Modified-Since': write(time) },
    });
    expect([status, bytes.length, headers['etag']]).toEqual([304, 0, post.etag]);
  });

  it('answers 200 to an earlier date, to one in the future, and to an invalid one', async () => {
    const post = await service.create();
    const now = Date.now();
    for (const date of [
      imf(now - DAY_MS),
      imf(now + DAY_MS),
      new Date(now).toISOString(),
      'Wed, 30 Feb 2050 00:00:00 GMT',
      '',
      '0',
    ]) {
      expect([date, await since(post.path, date), await since('/posts/', date)]).toEqual([date, 200, 200]);
    }
  });

  it('does not count where an entity tag is given', async () => {
    const post = await service.create();
    const date = imf(Date.now());
    expect(await since(post.path, date, { 'If-None-Match': '"a"' })).toBe(200);
    expect(await since(post.path, date, { 'If-None-Match': 'malformed' })).toBe(200);
    expect(await since(post.path, imf(0), { 'If-None-Match': post.etag })).toBe(304);
  });

  it('answers 200 to the date of a state that was replaced in the same second', async () => {
    await untilNextSecond();
    const post = await service.create();
    const [date, listDate] = [await dateOf(post.path), await dateOf('/posts/')];
    expect([await since(post.path, date), await since('/posts/', listDate)]).toEqual([304, 304]);
    expect(await put(post.path, 'Later')).toBe(200);
    expect(await dateOf(post.path)).toBe(date);
    expect([await since(post.path, date), await since('/posts/', listDate)]).toEqual([200, 200]);
    await sleep(3_100);
    expect([await since(post.path, date), await since('/posts/', listDate)]).toEqual([200, 200]);
    // The date of the next second identifies only the current state.
    for (const target of [post.path, '/posts/']) {
      const settled = await dateOf(target);
      expect(Date.parse(settled)).toBe(Date.parse(date) + 1_000);
      expect(await since(target, settled)).toBe(304);
    }
  });
});

describe('If-Unmodified-Since', () => {
  it('answers 412 to a read of a post that was changed since', async () => {
    await untilNextSecond();
    const post = await service.create();
    const date = await dateOf(post.path);
    const earlier = imf(Date.parse(date) - 1_000);
    for (const target of [post.path, '/posts/', `/posts/?id=${post.id}`]) {
      expect((await service.get(target, { 'If-Unmodified-Since': date })).status).toBe(200);
      const refused = await service.get(target, { 'If-Unmodified-Since': earlier });
      expect(refused.problem).toMatchObject({ status: 412, code: 'precondition-failed' });
      const tag = { 'If-Match': '*', 'If-Unmodified-Since': earlier };
      expect((await service.get(target, tag)).status).toBe(200);
    }
  });

  it('lets one of two writers write that have read the same, also within a second', async () => {
    await untilNextSecond();
    const post = await service.create();
    const condition = { 'If-Unmodified-Since': await dateOf(post.path) };
    const outcomes = await Promise.all(['a', 'b', 'c'].map((title) => put(post.path, title, condition)));
    expect(outcomes.toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
    expect((await service.delete(post.path, condition)).status).toBe(412);
    await sleep(3_100);
    expect((await service.delete(post.path, condition)).status).toBe(412);
    const present = { 'If-Unmodified-Since': await dateOf(post.path) };
    expect((await service.delete(post.path, present)).status).toBe(204);
    expect((await service.delete(post.path, present)).status).toBe(404);
  });
});

describe('modified_after', () => {
  const idsSince = async (date: string, query = ''): Promise<number[]> => {
    const response = await service.get(
      `/posts/?modified_after=${encodeURIComponent(date)}&ordering=modified&limit=1000${query}`,
    );
    expect(response.status).toBe(200);
    return response.json<PostJson[]>().map(({ id }) => id);
  };

  it('selects posts changed then or later, in the order of their changes, without deleted ones', async () => {
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
    const query = `/posts/?modified_after=${date}&fields=id&ordering=-modified`;
    const counted = await service.get(`${query}&limit=1`, { Prefer: 'count=exact' });
    expect([counted.json(), counted.headers['x-total-count']]).toEqual([[{ id: e.id }], '3']);
    expect((await service.get(query, { Accept: 'text/csv' })).text).toBe(
      `id\r\n${e.id}\r\n${a.id}\r\n${c.id}\r\n`,
    );
    const byDate = await service.get(`/posts/?modified_after=${date}&fields=id&ordering=-pub_date`, NDJSON);
    expect(byDate.text.trim().split('\n').length).toBe(3);
    const next = /<([^>]+)>; rel="next"/.exec(counted.headers['link']!)![1]!;
    expect((await service.get(next)).json()).toEqual([{ id: a.id }]);
    const unlike = next.replace('modified_after=2', 'modified_after=1');
    expect((await service.get(unlike)).problem).toMatchObject({ status: 400 });
  });

  it.each(['', 'yesterday', '2026-02-30', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
    'refuses %j, as other dates',
    async (date) => {
      const { problem } = await service.get(`/posts/?modified_after=${encodeURIComponent(date)}`);
      expect(problem).toMatchObject({ status: 400, errors: [{ parameter: 'modified_after' }] });
    },
  );

  it('with the Last-Modified of the list before, misses no change while others write, import and delete', async () => {
    const mirror = new Map<number, string>();
    let date = '1970-01-01T00:00:00Z';
    const sync = async (): Promise<void> => {
      const first = await service.get(
        `/posts/?modified_after=${date}&ordering=modified&limit=1000&fields=id,title`,
      );
      for (const { id, title } of first.json<PostJson[]>()) mirror.set(id, title);
      const shown = Date.parse(first.headers['last-modified']!);
      // During concurrent writes, Last-Modified may be earlier than before.
      date = new Date(Math.max(shown, Date.parse(date))).toISOString();
    };
    await sync();
    const written: PostJson[] = [];
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let round = 0; round < 15; round += 1) {
        const post = await service.create({ title: `mirror ${writer}.${round}` });
        written.push(post);
        await put(post.path, `mirrored ${writer}.${round}`);
      }
    });
    const lines = Array.from({ length: 400 }, (_, index) =>
      JSON.stringify({ title: `imported ${index}`, body: 'word '.repeat(200) }),
    );
    const imported = service.request('POST', '/posts/', {
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: lines.join('\n'),
    });
    const done = Promise.all([...writers, imported]);
    while ((await Promise.race([done, sync()])) === undefined);
    await sync();
    expect((await imported).status).toBe(201);
    const { first_id, last_id } = (await imported).json<{ first_id: number; last_id: number }>();
    const titles = [...mirror.values()];
    expect(titles.filter((title) => title.startsWith('mirrored ')).length).toBe(60);
    expect(titles.filter((title) => title.startsWith('imported ')).length).toBe(400);
    expect(mirror.has(first_id) && mirror.has(last_id)).toBe(true);
    for (const { id } of written) expect(mirror.get(id)).toMatch(/^mirrored /);
  });
});

function rfc850(ms: number): string {
  const [, day, month, year, time] = /^\w+, (\d\d) (\w+) \d\d(\d\d) ([\d:]+)/.exec(imf(ms))!;
  const name = new Date(ms).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return `${name}, ${day}-${month}-${year} ${time} GMT`;
}

function asctime(ms: number): string {
  const [, name, day, month, year, time] = /^(\w+), (\d\d) (\w+) (\d{4}) ([\d:]+)/.exec(imf(ms))!;
  return `${name} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
