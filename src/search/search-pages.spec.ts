import type { Database, Queryable } from '../database/index.js';
import { postgresDialect, sqliteDialect } from '../database/dialect.js';
import type { ListedPosts } from '../posts/lists/listed-post.js';
import { PostFinders } from '../posts/lists/post-finders.js';
import type { PostPagesRepository } from '../posts/lists/post-pages.repository.js';
import type { PageRequest } from '../posts/lists/post-selection.js';
import { workFor } from '../../test/support/work-for.js';
import { whenTimeToFold } from './fold.js';
import { SearchPages } from './search-pages.js';

const PAGE: PageRequest = { filter: { search: 'heron' }, ordering: '-id', rows: 21 };
/** What the index answers: that it has no match. */
const within = { all: async () => [{ count: 0, ids: null }] } as unknown as Queryable;

/** A search of a list whose next posts have these bodies. */
function searchOf(bodies: readonly string[]): SearchPages {
  const posts = bodies.map((body, index) => ({
    id: bodies.length - index,
    version: 1,
    modified: '',
    bodyBytes: Buffer.byteLength(body),
    sortKey: [bodies.length - index],
  }));
  const items = bodies.map((body) => JSON.stringify({ title: 'Fog', body })).join('\n');
  const none: ListedPosts = { posts: [], items: '', state: undefined! };
  const find = async ({ rows }: PageRequest): Promise<ListedPosts> =>
    rows === 1 ? none : { ...none, posts, items };
  const database = { dialect: sqliteDialect } as unknown as Database;
  return new SearchPages(database, { find } as unknown as PostPagesRepository, new PostFinders());
}

// test/search/search.e2e.ts has what it finds.
describe('a search that checks the next posts of the list', () => {
  it('waits a few times at most for the folding of others, not before each post', async () => {
    let pieces = 0;
    const others = Array.from({ length: 100 }, () =>
      whenTimeToFold(() => {
        workFor(6);
        pieces += 1;
      }, 'many'),
    );
    await searchOf(Array.from({ length: 128 }, () => 'A crane.')).narrow('heron', PAGE, within, 'one');
    expect(pieces).toBeLessThan(20);
    await Promise.all(others);
  });

  it.each([
    ['takes long', 'áb̀ '.repeat(4_000)],
    ['has ligatures', '\ufdfa'.repeat(2_000)],
  ])('leaves posts whose folding %s to the index', async (_, body) => {
    const { page, condition } = await searchOf(Array.from({ length: 128 }, () => body)).narrow(
      'heron',
      PAGE,
      within,
      'one',
    );
    expect(page.filter.id).toBeUndefined();
    expect(condition).toMatchObject({ name: 'found', values: { found: '[]' } });
  });
});

describe('a search of a common word, where the database checks the next posts of the list', () => {
  const FAR: PageRequest = { ...PAGE, offset: 5_000 };
  /** What the index answers: that it has more matches than are read one by one. */
  const many = { all: async () => [{ count: 10_000, ids: null }] } as unknown as Queryable;

  /**
   * A search of a list.
   *
   * @param matchesAmong how many of the first posts match
   */
  function searchOfMany(matchesAmong: (posts: number) => number) {
    const walks: number[] = [];
    const post = (id: number) => ({ id, version: 1, modified: '', bodyBytes: 0, sortKey: [id] });
    const find = async ({ rows, offset = 0, until }: PageRequest): Promise<ListedPosts> => {
      if (!until) return { posts: [post(offset)], items: '', state: undefined! };
      const length = until[0] as number;
      walks.push(length);
      const posts = Array.from({ length: Math.min(rows, matchesAmong(length)) }, (_, id) => post(id));
      return { posts, items: '', state: undefined! };
    };
    const database = { dialect: postgresDialect } as unknown as Database;
    const pages = { find } as unknown as PostPagesRepository;
    return { walks, search: new SearchPages(database, pages, new PostFinders()) };
  }

  it('finds a page that is farther away, as the first posts show', async () => {
    const { walks, search } = searchOfMany((posts) => posts / 2);
    const { page, isSlow } = await search.narrow('heron', FAR, many, 'one');
    expect(page.filter.id).toEqual(Array.from({ length: 21 }, (_, place) => 5_000 + place));
    expect({ walks, isSlow, offset: page.offset }).toEqual({
      walks: [1_000, 12_553],
      isSlow: false,
      offset: 0,
    });
  });

  it.each([
    ['the matches become rare', 'two walks', (posts: number) => Math.min(posts / 2, 600), [1_000, 12_553]],
    ['the page would be too far', 'one walk', (posts: number) => posts / 10, [1_000]],
    ['none of the first posts matches', 'one walk', () => 0, [1_000]],
  ])('collects the matches where %s, after %s', async (...[, , matchesAmong, expected]) => {
    const { walks, search } = searchOfMany(matchesAmong);
    const { page, condition, isSlow } = await search.narrow('heron', FAR, many, 'one');
    expect({ walks, isSlow, offset: page.offset }).toEqual({ walks: expected, isSlow: true, offset: 5_000 });
    expect(condition).toMatchObject({ name: 'collected match' });
  });

  it('sorts the matches of a filter that is not in the order of the list, without a walk to a far page', async () => {
    const { walks, search } = searchOfMany((posts) => posts / 2);
    const unordered: PageRequest = {
      ...FAR,
      filter: { ...FAR.filter, modified_after: '2020' },
      ordering: 'title',
    };
    const { page, condition, isSlow } = await search.narrow('heron', unordered, many, 'one');
    expect(walks).toEqual([]);
    expect({ page, isSlow }).toEqual({ page: { ...unordered, inIndexOrder: false }, isSlow: true });
    expect(condition).toMatchObject({ name: 'match' });
  });
});
