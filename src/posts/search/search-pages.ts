import type { Queryable } from '../../database/database.js';
import { sortKeyOf } from '../post-ordering.js';
import type { PageRequest, PostPageQueries } from '../post-page-queries.js';
import type { PostPages } from '../post-pages.js';
import type { PostFilter } from '../post-selection.js';
import type { Post } from '../post.entity.js';
import type { SearchQueries } from './search-queries.js';
import { matches, parseSearch, type SearchTerms } from './search-terms.js';

/** Enough to tell a common word from a rare one, in 2 ms. */
const SAMPLE_ROWS = 64;
const WALK_ROWS = 250;
/** As far as the list is walked: some 50 ms. */
const MAX_WALKED_ROWS = 2_000;
/** So many are better looked up one by one than recognized along the list. */
const FEW_MATCHES = 2_000;

/**
 * Pages of what a search finds, in the list's order.
 *
 * For a common word the list is walked and each post is looked at, for a rare one the index is asked and what it finds is
 * sorted. The first posts of the list tell which of the two it is. (To be asked for the beginning of a common word takes
 * the index as long as it has posts with it.)
 */
export class SearchPages {
  constructor(
    private readonly pages: PostPages,
    private readonly pageQueries: PostPageQueries,
    private readonly queries: SearchQueries,
  ) {}

  /** @param search what the client typed */
  async find(search: string, page: PageRequest, within: Queryable): Promise<Partial<Post>[]> {
    const terms = parseSearch(search);
    if (!terms) return [];
    return (await this.#walk(terms, page, within)) ?? this.#lookUp(terms, page, within);
  }

  async count(search: string, filter: PostFilter, within: Queryable): Promise<number> {
    const terms = parseSearch(search);
    if (!terms) return 0;
    const { query, values } = this.pageQueries.count(filter, this.queries.matchOf(terms));
    const [row] = await within.all<{ count: number }>(query, values);
    return row!.count;
  }

  async countByMonth(
    search: string,
    filter: PostFilter,
    within: Queryable,
  ): Promise<{ month: string; posts: number }[]> {
    const terms = parseSearch(search);
    if (!terms) return [];
    const { query, values } = this.pageQueries.countByMonth(filter, this.queries.matchOf(terms));
    return within.all(query, values);
  }

  /** @returns undefined when there are too few matches to find a page of them so */
  async #walk(
    terms: SearchTerms,
    page: PageRequest,
    within: Queryable,
  ): Promise<Partial<Post>[] | undefined> {
    const wanted = page.offset + page.rows;
    const fields = page.fields && ([...page.fields, 'title', 'body'] as const);
    const found: Partial<Post>[] = [];
    let { after } = page;
    for (let walked = 0, rows = SAMPLE_ROWS; ; rows = WALK_ROWS) {
      const stretch = { ...page, after, fields, rows, offset: 0, leavesOutLargeBodies: true };
      const posts = await this.pages.read(stretch, within);
      for (const post of posts) {
        // Rather than read a large body to look at it, the index is asked.
        if (post.body === null) return undefined;
        if (matches(terms, post.title!, post.body!)) found.push(post);
      }
      if (found.length >= wanted || posts.length < rows) return found.slice(page.offset, wanted);
      walked += posts.length;
      const rowsToGo = ((wanted - found.length) * walked) / found.length;
      if (walked + rowsToGo > MAX_WALKED_ROWS) return undefined;
      after = sortKeyOf(posts.at(-1)!, page.ordering);
    }
  }

  async #lookUp(terms: SearchTerms, page: PageRequest, within: Queryable): Promise<Partial<Post>[]> {
    const match = this.queries.matchOf(terms);
    const [row] = await within.all<{ count: number }>(this.queries.countUpTo, { match, most: FEW_MATCHES });
    const { query, values } = this.pageQueries.page(page, { match, isRare: row!.count < FEW_MATCHES });
    return within.all(query, values);
  }
}
