import { freshDatabase } from '../support/database.js';
import { parseLinks } from '../support/links.js';
import type { PostJson } from '../support/posts.js';
import { type Service, startService } from '../support/service.js';

const service = await startService();

const ORDERINGS = ['pub_date', '-pub_date', 'id', '-id', 'title', '-title', 'modified', '-modified'] as const;
type Ordering = (typeof ORDERINGS)[number];

interface Page {
  readonly posts: PostJson[];
  readonly links: Readonly<Record<string, string>>;
}

async function pageAt(target: string, from: Service = service): Promise<Page> {
  const response = await from.get(target);
  expect(response.status).toBe(200);
  const { alternate: _feed, ...links } = parseLinks(response.headers['link']);
  return { posts: response.json(), links };
}

/** Follows the links of a relation, starting at a target. @returns all pages */
async function walk(target: string, rel: 'next' | 'prev', from: Service = service): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | undefined = target; at !== undefined; at = pages.at(-1)!.links[rel]) {
    pages.push(await pageAt(at, from));
    if (pages.length > 200) throw new Error('The walk does not end.');
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.map(({ posts }) => posts.map(({ id }) => id));

const among = (posts: readonly PostJson[], query = '') =>
  `/posts/?id=${posts.map(({ id }) => id).join()}${query}`;

/** Posts with equal dates and titles, and with titles whose code point order differs from UTF-16 order. */
function manyPosts(count: number): Promise<PostJson[]> {
  const titles = ['b', 'a', '\uFFFD', '😀', 'b', 'B'];
  return service.createAll(
    Array.from({ length: count }, (_, index) => ({
      title: titles[index % titles.length]!,
      pub_date: `2026-01-0${1 + (index % 4)}T00:00:00.${'0'.repeat(5)}${index % 3}Z`,
    })),
  );
}

function compare(ordering: Ordering): (a: PostJson, b: PostJson) => number {
  // These posts are never updated, so the order by modification is the order of their ids.
  const key = ordering.replace('-', '').replace('modified', 'id') as 'pub_date' | 'id' | 'title';
  const sign = ordering.startsWith('-') ? -1 : 1;
  const bytesOf = (post: PostJson) => Buffer.from(String(post[key]));
  // Dates with milliseconds and with microseconds have different lengths.
  const timeOf = ({ pub_date }: PostJson) => Buffer.from(pub_date.replace(/\.(\d{3})Z/, '.$1000Z'));
  return (a, b) => {
    const order =
      key === 'pub_date' ? Buffer.compare(timeOf(a), timeOf(b)) : Buffer.compare(bytesOf(a), bytesOf(b));
    return sign * ((key === 'id' ? 0 : order) || a.id - b.id);
  };
}

const pagesOf = (posts: readonly PostJson[], limit: number) =>
  Array.from({ length: Math.ceil(posts.length / limit) }, (_, page) =>
    posts.slice(page * limit, (page + 1) * limit).map(({ id }) => id),
  );

describe('the links of a page', () => {
  let shelf: PostJson[];
  beforeAll(async () => {
    shelf = await manyPosts(12);
  });

  it.each([...ORDERINGS.map((ordering) => [ordering, 5] as const), ['title', 1], ['title', 13]] as const)(
    'lead through the whole list and back: ordered by %s, %i posts a page',
    async (ordering, limit) => {
      const start = among(shelf, `&ordering=${ordering}&limit=${limit}`);
      const expected = pagesOf(shelf.toSorted(compare(ordering)), limit);

      const forth = await walk(start, 'next');
      expect(idsOf(forth)).toEqual(expected);
      for (const [index, { links }] of forth.entries()) {
        expect(Object.keys(links)).toEqual([
          ...(index < forth.length - 1 ? ['next'] : []),
          ...(index > 0 ? ['prev'] : []),
          'first',
        ]);
        expect(links['first']).toBe(service.baseUrl + start);
      }

      if (forth.length === 1) return;
      const back = await walk(forth.at(-1)!.links['prev']!, 'prev');
      expect(idsOf(back).toReversed()).toEqual(expected.slice(0, -1));
      for (const [index, { links }] of back.entries()) {
        expect('next' in links).toBe(true);
        expect('prev' in links).toBe(index < back.length - 1);
      }
      expect(idsOf(await walk(back.at(-1)!.links['next']!, 'next'))).toEqual(expected.slice(1));
    },
  );

  it('keep all parameters as they were written', async () => {
    const posts = await service.createAll([{ title: 'a b' }, { title: 'a b' }, { title: 'a b' }]);
    const query =
      `limit=1&ordering=id&title=a+b&pub_date_after=2000-01-01T00:00%2B01:00` +
      `&pub_date_before=9999-12-31&fields=title,id&id=${posts.map(({ id }) => id).join('%2C')}`;
    const { links } = await pageAt(`/posts/?${query}`);
    expect(links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
    expect(links['next']!.replace(/&cursor=[\w-]+$/, '')).toBe(`${service.baseUrl}/posts/?${query}`);
    expect(links['next']).toContain('&cursor=');
    const second = await pageAt(links['next']!);
    expect(second.posts).toEqual([{ id: posts[1]!.id, title: 'a b' }]);
    expect(second.links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
  });

  it('keep repeated parameters, and stay valid when these are written with commas', async () => {
    const posts = await manyPosts(3);
    const repeated = posts.map(({ id }) => `id=${id}`).join('&');
    const query = `limit=1&fields=id&ordering=id&${repeated}&fields=title`;
    const { links } = await pageAt(`/posts/?${query}`);
    expect(links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
    const expected = [{ id: posts[1]!.id, title: posts[1]!.title }];
    expect((await pageAt(links['next']!)).posts).toEqual(expected);
    const written = `id=${posts.map(({ id }) => id).join()}`;
    expect((await pageAt(links['next']!.replace(repeated, written))).posts).toEqual(expected);
  });

  it('lead forwards and backwards from a page at an offset', async () => {
    const posts = await manyPosts(10);
    const list = among(posts, '&limit=2&ordering=id');
    // A name may be percent-encoded.
    const opened = await pageAt(`${list}&o%66fset=5`);
    expect(opened.posts).toEqual(posts.slice(5, 7));
    expect(idsOf(await walk(opened.links['next']!, 'next'))).toEqual(pagesOf(posts.slice(7), 2));
    const back = idsOf(await walk(opened.links['prev']!, 'prev'));
    expect(back).toEqual(
      [posts.slice(3, 5), posts.slice(1, 3), posts.slice(0, 1)].map((page) => page.map(({ id }) => id)),
    );
  });

  it('lead back from an offset beyond the end of the list', async () => {
    const posts = await manyPosts(5);
    const beyond = await pageAt(among(posts, '&limit=2&ordering=id&offset=100'));
    expect([beyond.posts, Object.keys(beyond.links)]).toEqual([[], ['prev', 'first']]);
    const last = await pageAt(beyond.links['prev']!);
    expect(last.posts).toEqual(posts.slice(3));
    expect(Object.keys(last.links)).toEqual(['prev', 'first']);
  });

  it('do not include next when the last page is exactly full', async () => {
    const posts = await manyPosts(4);
    const [, second, ...rest] = await walk(among(posts, '&limit=2'), 'next');
    expect([second!.posts.length, Object.keys(second!.links), rest]).toEqual([2, ['prev', 'first'], []]);
    expect(Object.keys((await pageAt(among(posts, '&limit=4'))).links)).toEqual(['first']);
    expect(Object.keys((await pageAt(among(posts, '&limit=2&offset=2'))).links)).toEqual(['prev', 'first']);
  });

  it('stay valid with another limit and other fields', async () => {
    const posts = await manyPosts(7);
    const { links } = await pageAt(among(posts, '&ordering=id&limit=2'));
    const next = await pageAt(links['next']!.replace('limit=2', 'limit=3&fields=id'));
    expect(next.posts).toEqual(posts.slice(2, 5).map(({ id }) => ({ id })));
  });

  it('stay valid when the default ordering is written out', async () => {
    const posts = await manyPosts(4);
    const { links } = await pageAt(among(posts, '&limit=2'));
    const same = await pageAt(`${links['next']!}&ordering=-pub_date`);
    expect(same.posts).toEqual((await pageAt(links['next']!)).posts);
  });

  it('stay valid when a filter is written in another form', async () => {
    const posts = await manyPosts(4);
    const { links } = await pageAt(among(posts, '&limit=2&pub_date_after=2000-01-01'));
    const same = await pageAt(links['next']!.replace('2000-01-01', '2000-01-01T00:00:00Z'));
    expect(same.posts).toHaveLength(2);
  });

  it('stay valid after a restart', async () => {
    const database = await freshDatabase();
    const environment = { DATABASE_URL: database.url, PUBLIC_URL: 'http://posts.test' };
    const first = await startService(environment);
    await first.createAll([{}, {}, {}, {}]);
    const { links } = await pageAt('/posts/?limit=2&ordering=title', first);
    const before = await pageAt(links['next']!, first);
    await first.stop();

    const second = await startService(environment);
    expect(await pageAt(links['next']!, second)).toEqual(before);
    await second.stop();
    await database.remove();
  });
});

describe('a cursor', () => {
  it.each<[string, (link: string) => string]>([
    ['without its last character', (link) => link.slice(0, -1)],
    ['with an extra character at the end', (link) => `${link}A`],
    ['in another case', (link) => link.replace(/cursor=(.*)$/, (text) => text.toLowerCase())],
    ['with another ordering', (link) => link.replace('ordering=id', 'ordering=-id')],
    ['with an ordering by another field', (link) => link.replace('ordering=id', 'ordering=title')],
    ['without its ordering', (link) => link.replace('&ordering=id', '')],
    ['without its filter', (link) => link.replace(/id=[\d,]+&/, '')],
    ['with another filter', (link) => link.replace(/id=\d+,/, 'id=')],
    ['with an additional filter', (link) => `${link}&title=a`],
  ])('is refused %s', async (_, alter) => {
    const posts = await manyPosts(5);
    const { links } = await pageAt(among(posts, '&ordering=id&limit=2'));
    const altered = alter(links['next']!);
    expect(altered).not.toBe(links['next']);
    const [fault] = (await service.get(altered)).problem.errors!;
    expect(fault).toMatchObject({ code: 'bad_cursor', parameter: 'cursor' });
    expect(fault!.detail).toContain('a Link of a list with the same ordering and filters, unaltered.');
  });

  it('cannot be combined with an offset', async () => {
    const posts = await manyPosts(5);
    const { links } = await pageAt(among(posts, '&ordering=id&limit=2'));
    const response = await service.get(`${links['next']!}&offset=1`);
    expect(response.problem.errors).toEqual([
      { detail: 'It cannot be combined with cursor.', code: 'mutually_exclusive', parameter: 'offset' },
    ]);
    expect((await service.get(`${links['next']!}&offset=0`)).status).toBe(400);
  });
});

describe('paging through a list that other clients change', () => {
  let own: Service;
  beforeAll(async () => {
    own = await startService();
  });
  beforeEach(() => own.database.execute('DELETE FROM posts'));
  afterAll(() => own.stop());

  it.each(ORDERINGS)(
    'skips no remaining post and shows none twice during other writes: ordered by %s',
    async (ordering) => {
      const start = `/posts/?ordering=${ordering}&limit=3`;
      const seed = Array.from({ length: 20 }, (_, index) => ({
        title: ['m', 'k', '\uFFFD', '😀'][index % 4]!,
        pub_date: `2026-01-0${1 + (index % 3)}T00:00:00.000Z`,
      }));
      const posts = await own.createAll(seed);
      const staying = new Set(posts.filter((_, index) => index % 2 === 0).map(({ id }) => id));
      const leaving = posts.filter(({ id }) => !staying.has(id)).map(({ id }) => id);

      for (const rel of ['next', 'prev'] as const) {
        const seen: number[] = [];
        let at: string | undefined = start;
        if (rel === 'prev') at = (await pageAt(`${start}&offset=10000`, own)).links['prev'];
        for (let round = 0; at !== undefined; round += 1) {
          const { posts: shown, links }: Page = await pageAt(at, own);
          seen.push(...shown.map(({ id }) => id));
          at = links[rel];
          if (round >= 8) continue;
          // Insert posts before, at and after the position of the walk.
          await own.createAll([
            { title: 'a', pub_date: '2025-01-01T00:00:00.000Z' },
            { title: 'm', pub_date: '2026-01-02T00:00:00.000Z' },
            { title: 'z', pub_date: '2027-01-01T00:00:00.000Z' },
          ]);
          const gone = rel === 'next' ? leaving.pop() : undefined;
          if (gone !== undefined) await own.delete(`/posts/${gone}/`);
        }
        const stayed = seen.filter((id) => staying.has(id));
        expect(new Set(seen).size).toBe(seen.length);
        expect(stayed.length).toBe(staying.size);
      }
    },
  );

  it('continues when the post at its position is deleted', async () => {
    const posts = await manyPosts(6);
    const first = await pageAt(among(posts, '&ordering=id&limit=2'));
    await service.delete(`/posts/${posts[1]!.id}/`);
    await service.delete(`/posts/${posts[2]!.id}/`);
    const second = await pageAt(first.links['next']!);
    expect(second.posts).toEqual(posts.slice(3, 5));
    expect((await pageAt(second.links['prev']!)).posts).toEqual(posts.slice(0, 1));
  });

  it('leads back from a page whose posts were all deleted', async () => {
    const posts = await manyPosts(4);
    const first = await pageAt(among(posts, '&ordering=title&limit=2'));
    const rest = (await pageAt(first.links['next']!)).posts;
    for (const { id } of rest) await service.delete(`/posts/${id}/`);
    const emptied = await pageAt(first.links['next']!);
    expect([emptied.posts, Object.keys(emptied.links)]).toEqual([[], ['prev', 'first']]);
    expect((await pageAt(emptied.links['prev']!)).posts).toEqual(first.posts);
  });

  it('finds only a first link when all posts of the list were deleted', async () => {
    const posts = await manyPosts(4);
    const { links } = await pageAt(among(posts, '&ordering=-pub_date&limit=2'));
    for (const { id } of posts) await service.delete(`/posts/${id}/`);
    const emptied = await pageAt(links['next']!);
    expect([emptied.posts, Object.keys(emptied.links)]).toEqual([[], ['first']]);
  });
});
