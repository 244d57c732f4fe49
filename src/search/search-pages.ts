import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../database/index.js';
import type { ListedPost } from '../posts/lists/listed-post.js';
import { type PostCondition, PostPagesRepository } from '../posts/lists/post-pages.repository.js';
import { type NarrowedPage, PostSearch } from '../posts/lists/post-search.js';
import type { PageRequest } from '../posts/lists/post-selection.js';
import type { Post } from '../posts/post.entity.js';
import { FINDS_NOTHING, type SearchQueries, searchQueries } from './search-queries.js';
import { matches, parseSearch, type SearchTerms } from './search-terms.js';

/** Up to this many matches are read one by one and sorted: some 20 ms. */
const FEW_MATCHES = 5_000;
/** How many posts of the list are checked one by one before the index is asked: some milliseconds. */
const WALKED_POSTS = 1_000;
/** How many of them the database may leave to this process to check. */
const CHECKED_POSTS = 128;
/** How long this process may check posts before it yields to the event loop. */
const TURN_MS = 5;

/**
 * Finds out how to read a page of search results, in the order of the list, with at most three statements.
 *
 * The index returns its matches in no useful order, so even the first page takes time in proportion to all matches. So
 * the page is first taken from the next posts of the list, where those of a common search are. If there are too few, the
 * index finds them: up to {@link FEW_MATCHES} are read and sorted; of more, the database collects the ids, and checks
 * the posts of the list against them.
 */
@Injectable()
export class SearchPages extends PostSearch {
  private readonly queries: SearchQueries;

  constructor(
    private readonly database: Database,
    private readonly pages: PostPagesRepository,
  ) {
    super();
    this.queries = searchQueries(database.dialect);
  }

  async narrow(
    search: string,
    page: PageRequest,
    within: Queryable = this.database.reader,
  ): Promise<NarrowedPage> {
    const terms = parseSearch(search);
    if (!terms) return { page, condition: this.condition(search), isSlow: false };
    const ids = await this.#walk(terms, page, within);
    if (ids) return { page: { ...page, filter: { id: ids }, offset: 0 }, isSlow: false };
    const match = this.queries.matchOf(terms);
    const [row] = await within.all(this.queries.countUpTo, { match, most: FEW_MATCHES });
    const areFew = row!.count < FEW_MATCHES;
    return { page, condition: this.#isFound(terms, areFew ? 'one' : 'batched'), isSlow: !areFew };
  }

  condition(search: string): PostCondition {
    const terms = parseSearch(search);
    return terms ? this.#isFound(terms, 'batched') : { toSql: () => FINDS_NOTHING, values: {} };
  }

  /**
   * The ids of the posts of the page; undefined when the next posts of the list have too few matches, or cannot be
   * checked.
   */
  async #walk(terms: SearchTerms, page: PageRequest, within: Queryable): Promise<number[] | undefined> {
    const { condition, isExact, valuesOf } = this.queries.onWalk;
    const { offset = 0, rows } = page;
    const wanted = offset + rows;
    if (wanted > WALKED_POSTS) return undefined;
    const [end] = (await this.pages.find({ ...page, offset: WALKED_POSTS, rows: 1, fields: ['id'] }, within))
      .posts;
    const stretch: PageRequest = {
      ...page,
      ...(end && { until: end.sortKey }),
      offset: 0,
      rows: isExact ? wanted : Math.max(wanted, CHECKED_POSTS),
      fields: isExact ? ['id'] : ['title', 'body'],
    };
    const { posts } = await this.pages.find(stretch, within, {
      toSql: () => condition,
      values: valuesOf(terms),
    });
    const found = isExact ? posts : await matching(terms, posts, wanted);
    const isWholeList = !end && posts.length < stretch.rows;
    if (!found || (found.length < wanted && !isWholeList)) return undefined;
    return found.slice(offset, wanted).map(({ id }) => id);
  }

  #isFound(terms: SearchTerms, how: keyof SearchQueries['isFound']): PostCondition {
    return { toSql: () => this.queries.isFound[how], values: { match: this.queries.matchOf(terms) } };
  }
}

/** The first posts that match; undefined when one has a large body, which the index checks faster. */
async function matching(
  terms: SearchTerms,
  posts: readonly ListedPost[],
  wanted: number,
): Promise<ListedPost[] | undefined> {
  const found: ListedPost[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const post of posts) {
    if (post.json === '') return undefined;
    const { title, body } = JSON.parse(post.json) as Pick<Post, 'title' | 'body'>;
    if (matches(terms, title, body)) found.push(post);
    if (found.length === wanted) break;
    if (performance.now() < turnEnds) continue;
    await setImmediate();
    turnEnds = performance.now() + TURN_MS;
  }
  return found;
}
