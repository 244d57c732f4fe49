import type { Queryable } from '../database/database.js';
import type { PostCondition, PostPageQueries } from '../posts/lists/post-page-queries.js';
import type { PostPages } from '../posts/lists/post-pages.js';
import type { PageRequest, PostFilter } from '../posts/lists/post-selection.js';
import type { Post } from '../posts/post.entity.js';
import type { SearchQueries } from './search-queries.js';
import { parseSearch, type SearchTerms } from './search-terms.js';
import { SearchWalk } from './search-walk.js';

/** Up to this many matches are read one by one and sorted: some 20 ms. */
const FEW_MATCHES = 5_000;

/** Runs work that reads very many rows, without blocking other queries. */
export type Slowly = <Result>(work: (within: Queryable) => Promise<Result>) => Promise<Result>;

/**
 * Pages of search results, in the order of the list.
 *
 * There are two ways to find them. A walk along the list checks each post, and fills a page quickly when the search is
 * common. The index returns its matches in no useful order, so even the first page takes time in proportion to all
 * matches. The walk stops when it has cost as much as the index would, as estimated from a sample. So a search costs at
 * most about twice as much as the better way.
 */
export class SearchPages {
  constructor(
    private readonly pages: PostPages,
    private readonly pageQueries: PostPageQueries,
    private readonly queries: SearchQueries,
  ) {}

  /** @param search what the client typed */
  async find(search: string, page: PageRequest, within: Queryable, slowly: Slowly): Promise<Partial<Post>[]> {
    const terms = parseSearch(search);
    if (!terms) return [];
    const walk = new SearchWalk(terms, page, this.pages, this.queries, within);
    const found = await walk.find();
    if (found) return found;
    const isCommon = (await walk.frequency()).share > 0;
    return isCommon
      ? slowly((snapshot) => this.#lookUp(terms, page, snapshot))
      : this.#lookUp(terms, page, within, slowly);
  }

  async count(search: string, filter: PostFilter, within: Queryable): Promise<number> {
    const terms = parseSearch(search);
    if (!terms) return 0;
    const { query, values } = this.pageQueries.count(filter, this.#isFound(terms, 'batched'));
    const [row] = await within.all<{ count: number }>(query, values);
    return row!.count;
  }

  async countByDate(
    search: string,
    filter: PostFilter,
    within: Queryable,
  ): Promise<{ date: string; posts: number }[]> {
    const terms = parseSearch(search);
    if (!terms) return [];
    const { query, values } = this.pageQueries.countByDate(filter, this.#isFound(terms, 'one'));
    return within.all(query, values);
  }

  async #lookUp(
    terms: SearchTerms,
    page: PageRequest,
    within: Queryable,
    slowly: Slowly = (work) => work(within),
  ): Promise<Partial<Post>[]> {
    const match = this.queries.matchOf(terms);
    const [row] = await within.all<{ count: number }>(this.queries.countUpTo, { match, most: FEW_MATCHES });
    const areFew = row!.count < FEW_MATCHES;
    const { query, values } = this.pageQueries.page(page, this.#isFound(terms, areFew ? 'one' : 'batched'));
    return areFew ? within.all(query, values) : slowly((snapshot) => snapshot.all(query, values));
  }

  #isFound(terms: SearchTerms, how: keyof SearchQueries['isFound']): PostCondition {
    return { sql: this.queries.isFound[how], values: { match: this.queries.matchOf(terms) } };
  }
}
