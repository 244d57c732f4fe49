import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type Sql } from '../database/index.js';
import { areWritten, contentsOf, type ListedPost, type WrittenPosts } from '../posts/lists/listed-post.js';
import { isOneOfThese } from '../posts/lists/list-queries.js';
import { type PostCondition, PostPagesRepository } from '../posts/lists/post-pages.repository.js';
import { type NarrowedPage, type PostFinder, PostFinders } from '../posts/lists/post-finders.js';
import type { PageRequest } from '../posts/lists/post-selection.js';
import type { Post } from '../posts/post.entity.js';
import { isSlowToFold, whenTimeToFold } from './fold.js';
import { isMatch, NOTHING, type SearchQueries, searchQueries } from './search-queries.js';
import { matches, parseSearch, type SearchTerms } from './search-terms.js';

/** Up to this many matches are read one by one and sorted: some 20 ms. */
const FEW_MATCHES = 10_000;
/** How many posts of the list are checked one by one before the index is asked: some milliseconds. */
const WALKED_POSTS = 1_000;
/** How many of them the database may leave to this process to check. */
const CHECKED_POSTS = 128;
/** How long this process checks posts at a time, and in all before it asks the index. Most posts take microseconds. */
const CHECKING_STEP_MS = 4;
const MAX_CHECKING_MS = 40;

/**
 * Finds out how to read a page of search results, in the order of the list, with at most three statements.
 *
 * The index returns its matches in no useful order, so even the first page takes time in proportion to all matches. So
 * the page is first taken from the next posts of the list, where those of a common search are. If there are too few, the
 * index finds them: up to {@link FEW_MATCHES} are read and sorted; of more, the database collects the ids, and checks
 * the posts of the list against them.
 */
@Injectable()
export class SearchPages implements PostFinder {
  private readonly queries: SearchQueries;

  constructor(
    private readonly database: Database,
    private readonly pages: PostPagesRepository,
    finders: PostFinders,
  ) {
    finders.add('search', this);
    this.queries = searchQueries(database.dialect);
  }

  matcherOf(search: string): ((text: string) => boolean) | undefined {
    const terms = parseSearch(search);
    return terms && ((text) => matches(terms, text, ''));
  }

  async narrow(search: string, page: PageRequest, within: Queryable, client: string): Promise<NarrowedPage> {
    const terms = parseSearch(search);
    if (!terms) return { page, condition: NOTHING, isSlow: false };
    const ids = await this.#walk(terms, page, within, client);
    if (ids) return { page: { ...page, filter: { id: ids }, offset: 0 }, isSlow: false };
    return { page, ...(await this.#collect(terms, within)) };
  }

  /** The index knows it without the posts: it has a row for each of them. */
  async count(search: string, within: Queryable): Promise<number> {
    const terms = parseSearch(search);
    if (!terms) return 0;
    const [found] = await within.all(this.queries.count, { match: this.queries.matchOf(terms) });
    return found!.count;
  }

  async countCondition(search: string, within: Queryable): Promise<PostCondition> {
    const terms = parseSearch(search);
    return terms ? (await this.#collect(terms, within)).condition : NOTHING;
  }

  async condition(search: string, within: Queryable): Promise<PostCondition> {
    const terms = parseSearch(search);
    if (!terms) return NOTHING;
    return this.#matches(this.queries.matches, this.queries.matchOf(terms), within);
  }

  /** Finds all matches by the index. */
  async #collect(
    terms: SearchTerms,
    within: Queryable,
  ): Promise<{ readonly condition: PostCondition; readonly isSlow: boolean }> {
    const match = this.queries.matchOf(terms);
    const [found] = await within.all(this.queries.find, { match, most: FEW_MATCHES });
    if (found!.count < FEW_MATCHES)
      return { condition: isOneOfThese(this.database.dialect, found!.ids ?? '[]'), isSlow: false };
    return { condition: await this.#matches(this.queries.matchesCollected, match, within), isSlow: true };
  }

  /**
   * The ids of the posts of the page; undefined when the next posts of the list have too few matches, or cannot be
   * checked.
   */
  async #walk(
    terms: SearchTerms,
    page: PageRequest,
    within: Queryable,
    client: string,
  ): Promise<number[] | undefined> {
    const { condition, isExact, valuesOf } = this.queries.onWalk;
    const { offset = 0 } = page;
    const wanted = offset + page.rows;
    if (wanted > WALKED_POSTS) return undefined;
    const last = { ...page, offset: WALKED_POSTS, rows: 1, shownRows: 1, fields: ['id'] } as const;
    const [end] = (await this.pages.find(last, within)).posts;
    const rows = isExact ? wanted : Math.max(wanted, CHECKED_POSTS);
    const stretch: PageRequest = {
      ...page,
      ...(end && { until: end.sortKey }),
      offset: 0,
      rows,
      shownRows: rows,
      fields: isExact ? ['id'] : ['title', 'body'],
    };
    const { posts, items } = await this.pages.find(stretch, within, {
      name: 'may match',
      toSql: () => condition,
      values: valuesOf(terms),
    });
    const found = isExact ? posts : await matching(terms, { posts, items }, stretch, wanted, client);
    const isWholeList = !end && posts.length < stretch.rows;
    if (!found || (found.length < wanted && !isWholeList)) return undefined;
    return found.slice(offset, wanted).map(({ id }) => id);
  }

  async #matches(condition: Sql, match: string, within: Queryable): Promise<PostCondition> {
    const { findInParts } = this.queries;
    const [found] = findInParts ? await within.all(findInParts, { match }) : [];
    const inParts = found?.ids ? isOneOfThese(this.database.dialect, found.ids) : undefined;
    return isMatch(condition, match, inParts);
  }
}

/** The first posts that match; undefined when the index checks them faster. */
async function matching(
  terms: SearchTerms,
  { posts, items }: WrittenPosts,
  page: PageRequest,
  wanted: number,
  client: string,
): Promise<ListedPost[] | undefined> {
  if (!areWritten(posts, page)) return undefined;
  const contents = contentsOf<Pick<Post, 'title' | 'body'>>(items);
  // The items are in the order of the list, and the posts in that of the walk.
  if (page.backwards) contents.reverse();
  const found: ListedPost[] = [];
  let place = 0;
  let checkedMs = 0;
  const isDone = (): boolean => place === posts.length || found.length === wanted;
  /** Many posts at a time: each time, it may have to wait for the work of others. */
  const checkSome = (): void => {
    const startedAt = performance.now();
    for (let ms = 0; ms < CHECKING_STEP_MS && !isDone(); ms = performance.now() - startedAt) {
      const { title, body } = contents[place]!;
      if (isSlowToFold(body)) break;
      if (matches(terms, title, body)) found.push(posts[place]!);
      place += 1;
    }
    checkedMs += performance.now() - startedAt;
  };
  while (!isDone()) {
    if (checkedMs > MAX_CHECKING_MS || isSlowToFold(contents[place]!.body)) return undefined;
    await whenTimeToFold(checkSome, client);
  }
  return found;
}
