import { parseLinks } from '../support/links.js';
import { listOf, type PostJson } from '../support/posts.js';
import { startService } from '../support/service.js';

const service = await startService();

interface Page {
  readonly posts: PostJson[];
  readonly links: Readonly<Record<string, string>>;
}

async function pageAt(target: string): Promise<Page> {
  const response = await service.get(target);
  expect(response.status).toBe(200);
  const { alternate: _feed, ...links } = parseLinks(response.headers['link']);
  return { posts: response.json(), links };
}

/** Follows the links of a relation, starting at a target. @returns all pages */
async function walk(target: string, rel: 'next' | 'prev'): Promise<Page[]> {
  const pages: Page[] = [];
  for (let at: string | undefined = target; at !== undefined; at = pages.at(-1)!.links[rel]) {
    pages.push(await pageAt(at));
    if (pages.length > 200) throw new Error('The walk does not end.');
  }
  return pages;
}

const idsOf = (pages: readonly Page[]) => pages.map(({ posts }) => posts.map(({ id }) => id));

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

const pagesOf = (posts: readonly PostJson[], limit: number) =>
  Array.from({ length: Math.ceil(posts.length / limit) }, (_, page) =>
    posts.slice(page * limit, (page + 1) * limit).map(({ id }) => id),
  );

// same-responses.postgres.e2e.ts walks through whole lists in all orderings.
describe('the links of a page', () => {
  it('keep all parameters as they were written, repeated or with commas', async () => {
    const posts = await service.createAll([{ title: 'a b' }, { title: 'a b' }, { title: 'a b' }]);
    const ids = posts.map(({ id }) => id);
    for (const list of [`id=${ids.join('&id=')}&fields=title`, `fields=title&id=${ids.join('%2C')}`]) {
      const query =
        `limit=1&ordering=id&title=a+b&pub_date_after=2000-01-01T00:00%2B01:00` +
        `&pub_date_before=9999-12-31&fields=id&${list}`;
      const { links } = await pageAt(`/posts/?${query}`);
      expect(links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
      expect(links['next']!.replace(/&cursor=[\w-]+$/, '')).toBe(`${service.baseUrl}/posts/?${query}`);
      const second = await pageAt(links['next']!);
      expect(second.posts).toEqual([{ id: ids[1], title: 'a b' }]);
      expect(second.links['first']).toBe(`${service.baseUrl}/posts/?${query}`);
    }
  });

  it('lead forwards and backwards from a page at an offset, also beyond the end', async () => {
    const posts = await manyPosts(10);
    const list = listOf(posts, '&limit=2&ordering=id');
    // A name may be percent-encoded.
    const opened = await pageAt(`${list}&o%66fset=5`);
    expect(opened.posts).toEqual(posts.slice(5, 7));
    expect(idsOf(await walk(opened.links['next']!, 'next'))).toEqual(pagesOf(posts.slice(7), 2));
    const back = idsOf(await walk(opened.links['prev']!, 'prev')).toReversed();
    expect(back).toEqual([...pagesOf(posts.slice(0, 1), 1), ...pagesOf(posts.slice(1, 5), 2)]);
    const beyond = await pageAt(`${list}&offset=100`);
    expect([beyond.posts, Object.keys(beyond.links)]).toEqual([[], ['prev', 'first']]);
    expect((await pageAt(beyond.links['prev']!)).posts).toEqual(posts.slice(8));
  });

  it('do not include next when the last page is exactly full', async () => {
    const posts = await manyPosts(4);
    const [, second, ...rest] = await walk(listOf(posts, '&limit=2'), 'next');
    expect([second!.posts.length, Object.keys(second!.links), rest]).toEqual([2, ['prev', 'first'], []]);
    expect(Object.keys((await pageAt(listOf(posts, '&limit=4'))).links)).toEqual(['first']);
    expect(Object.keys((await pageAt(listOf(posts, '&limit=2&offset=2'))).links)).toEqual(['prev', 'first']);
  });

  it.each<[string, string, (link: string) => string]>([
    ['with another limit and other fields', '&ordering=id', (link) => link.replace('=2', '=3&fields=id')],
    ['when the default ordering is written out', '', (link) => `${link}&ordering=-pub_date`],
    [
      'when a filter is written in another form',
      '&pub_date_after=2000-01-01',
      (link) => link.replace('2000-01-01', '2000-01-01T00:00:00Z'),
    ],
  ])('stay valid %s', async (_, query, alter) => {
    const posts = await manyPosts(7);
    const { links } = await pageAt(listOf(posts, `${query}&limit=2`));
    const [, third] = (await pageAt(links['next']!)).posts;
    expect((await pageAt(alter(links['next']!))).posts[1]).toMatchObject({ id: third!.id });
  });
});

describe('a cursor', () => {
  const detail = expect.stringContaining('a Link of a list with the same ordering and filters, unaltered.');
  const refused = { code: 'bad_cursor', parameter: 'cursor', detail };
  const excluded = { code: 'mutually_exclusive', parameter: 'offset', detail: expect.any(String) };

  // src/http/request/page-cursor.spec.ts has all alterations.
  it.each<[string, (link: string) => string, object]>([
    ['with another ordering', (link) => link.replace('ordering=id', 'ordering=-id'), refused],
    ['with another filter', (link) => link.replace(/id=\d+,/, 'id='), refused],
    ['with an offset', (link) => `${link}&offset=0`, excluded],
  ])('is refused %s', async (_, alter, fault) => {
    const { links } = await pageAt(listOf(await manyPosts(5), '&ordering=id&limit=2'));
    expect((await service.get(alter(links['next']!))).problem.errors).toEqual([fault]);
  });
});

describe('paging through a list that other clients change', () => {
  beforeEach(() => service.database.execute('DELETE FROM posts'));

  it.each(['-pub_date', 'id', 'title'])(
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
        if (rel === 'prev') at = (await pageAt(`${start}&offset=10000`)).links['prev'];
        for (let round = 0; at !== undefined; round += 1) {
          const { posts: shown, links }: Page = await pageAt(at);
          seen.push(...shown.map(({ id }) => id));
          at = links[rel];
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

  it('continues when the post at its position is deleted', async () => {
    const posts = await manyPosts(6);
    const first = await pageAt(listOf(posts, '&ordering=id&limit=2'));
    await service.delete(`/posts/${posts[1]!.id}/`);
    await service.delete(`/posts/${posts[2]!.id}/`);
    const second = await pageAt(first.links['next']!);
    expect(second.posts).toEqual(posts.slice(3, 5));
    expect((await pageAt(second.links['prev']!)).posts).toEqual(posts.slice(0, 1));
  });

  it('leads back from a page whose posts were deleted, and only to the start when all were', async () => {
    const posts = await manyPosts(4);
    const first = await pageAt(listOf(posts, '&ordering=title&limit=2'));
    const next = first.links['next']!;
    for (const { id } of (await pageAt(next)).posts) await service.delete(`/posts/${id}/`);
    const emptied = await pageAt(next);
    expect([emptied.posts, Object.keys(emptied.links)]).toEqual([[], ['prev', 'first']]);
    expect((await pageAt(emptied.links['prev']!)).posts).toEqual(first.posts);
    for (const { id } of first.posts) await service.delete(`/posts/${id}/`);
    const nothing = await pageAt(next);
    expect([nothing.posts, Object.keys(nothing.links)]).toEqual([[], ['first']]);
  });
});
