import type { HttpResponse } from '../support/http-client.js';
import { aPost, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

describe('lists that are requested at the same time', () => {
  it('get their own pages, whatever the values, the orderings and the limits', async () => {
    await service.database.execute('DELETE FROM posts');
    const titles = ['"', "'", '\\', '\n', '\u2028', '😀', 'é', '$1', ':rows', '?', '%', '{"after_id":0}'];
    const all = Array.from({ length: 60 }, (_, i) =>
      aPost({
        title: `${titles[i % 12]} ${i % 3}`,
        body: titles[(i * 5) % 12]!,
        pub_date: `2026-01-${10 + (i % 7)}`,
      }),
    );
    await service.import(all.map((post) => JSON.stringify(post)).join('\n'));
    const posts = (await service.get('/posts/?limit=1000&ordering=id')).json<PostJson[]>();
    const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    const orders: Record<string, (a: PostJson, b: PostJson) => number> = {
      id: (a, b) => a.id - b.id,
      title: (a, b) => byText(a.title, b.title) || a.id - b.id,
      pub_date: (a, b) => byText(a.pub_date, b.pub_date) || a.id - b.id,
    };
    const filters: [string, (post: PostJson) => boolean][] = [
      ['', () => true],
      ['&pub_date_after=2026-01-12', ({ pub_date }) => pub_date >= '2026-01-12'],
      ['&pub_date_before=2026-01-14', ({ pub_date }) => pub_date < '2026-01-14'],
      [
        '&pub_date_after=2026-01-11&pub_date_before=2026-01-15',
        (post) => post.pub_date >= '2026-01-11' && post.pub_date < '2026-01-15',
      ],
      ['&modified_after=2026-01-01&pub_date_before=2026-01-14', ({ pub_date }) => pub_date < '2026-01-14'],
      [`&title=${encodeURIComponent('" 0')}`, ({ title }) => title === '" 0'],
    ];
    const idsFrom = async (path: string): Promise<number[]> => {
      const response = await service.get(path);
      const ids = response.json<PostJson[]>().map(({ id }) => id);
      return response.links['next'] ? [...ids, ...(await idsFrom(response.links['next']))] : ids;
    };
    const lists = Object.keys(orders).flatMap((key) =>
      filters.flatMap(([filter, matches]) =>
        ['', '-'].flatMap((sign) =>
          [3, 7].map((limit) => ({
            path: `/posts/?limit=${limit}&ordering=${sign}${key}${filter}`,
            key,
            sign,
            matches,
          })),
        ),
      ),
    );
    const found: number[][] = [];
    // Some at a time: a slow machine would refuse those at the end of a long line.
    for (let from = 0; from < lists.length; from += 12) {
      const together = lists.slice(from, from + 12);
      found.push(...(await Promise.all(together.map(({ path }) => idsFrom(path)))));
    }
    for (const [index, { path, key, sign, matches }] of lists.entries()) {
      const sorted = posts.filter(matches).toSorted(orders[key]);
      const expected = (sign === '-' ? sorted.toReversed() : sorted).map(({ id }) => id);
      expect([path, found[index]]).toEqual([path, expected]);
    }
  });
});

describe('paging through a list that other clients change', () => {
  beforeEach(() => service.database.execute('DELETE FROM posts'));

  it.each(['-pub_date', 'title'])(
    'skips no remaining post and shows none twice during other writes: ordered by %s',
    async (ordering) => {
      const start = `/posts/?ordering=${ordering}&limit=3`;
      const seed = Array.from({ length: 20 }, (_, index) => ({
        title: ['m', 'k', '\uFFFD', '😀'][index % 4]!,
        pub_date: `2026-01-0${1 + (index % 3)}T00:00:00.000Z`,
      }));
      const posts = await service.createAll(seed);
      const staying = new Set(posts.filter((_, index) => index % 2 === 0).map(({ id }) => id));
      const leaving = posts.filter(({ id }) => !staying.has(id)).map(({ id }) => id);

      for (const rel of ['next', 'prev'] as const) {
        const seen: number[] = [];
        let at: string | undefined = start;
        if (rel === 'prev') at = (await service.get(`${start}&offset=10000`)).links['prev'];
        for (let round = 0; at !== undefined; round += 1) {
          const page: HttpResponse = await service.get(at);
          seen.push(...page.json<PostJson[]>().map(({ id }) => id));
          at = page.links[rel];
          if (round >= 8) continue;
          // Insert posts before, at and after the position of the walk.
          await service.createAll([
            { title: 'a', pub_date: '2025-01-01T00:00:00.000Z' },
            { title: 'm', pub_date: '2026-01-02T00:00:00.000Z' },
            { title: 'z', pub_date: '2027-01-01T00:00:00.000Z' },
          ]);
          const gone = rel === 'next' ? leaving.pop() : undefined;
          if (gone !== undefined) await service.delete(`/posts/${gone}/`);
        }
        const stayed = seen.filter((id) => staying.has(id));
        expect(new Set(seen).size).toBe(seen.length);
        expect(stayed.length).toBe(staying.size);
      }
    },
  );
});
