import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../database/database.js';
import { including, sortKeyOf, type SortKeyValues } from '../posts/lists/post-ordering.js';
import { LARGE_BODY_BYTES, type PostCondition, PostPageQueries } from '../posts/lists/post-page-queries.js';
import { type ListedPost, PostPages } from '../posts/lists/post-pages.js';
import { PostSearch, type Slowly } from '../posts/lists/post-search.js';
import type { PageRequest, PostFilter } from '../posts/lists/post-selection.js';
import { ID_RANGE, type SearchQueries, searchQueries } from './search-queries.js';
import { matches, parseSearch, type SearchTerms } from './search-terms.js';

/** Up to this many matches are read one by one and sorted: some 20 ms. */
const FEW_MATCHES = 5_000;

/**
 * Pages of search results, in the order of the list.
 *
 * There are two ways to find them. A walk along the list checks each post, and fills a page quickly when the search is
 * common. The index returns its matches in no useful order, so even the first page takes time in proportion to all
 * matches. The walk stops when it has cost as much as the index would, as estimated from a sample. So a search costs at
 * most about twice as much as the better way.
 */
@Injectable()
export class SearchPages extends PostSearch {
  private readonly queries: SearchQueries;

  constructor(
    private readonly pages: PostPages,
    private readonly pageQueries: PostPageQueries,
    { dialect }: Database,
  ) {
    super();
    this.queries = searchQueries(dialect);
  }

  async find(search: string, page: PageRequest, within: Queryable, slowly: Slowly): Promise<ListedPost[]> {
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
  ): Promise<ListedPost[]> {
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

/** The size of a walk's first stretch, and of the sample that estimates how common a search is. */
const SAMPLE_ROWS = 64;
/** The longest stretch: some milliseconds, during which other queries on SQLite wait. */
const MAX_STRETCH_ROWS = 1_024;
/** The most rows that one query of a stretch returns. */
const MAX_READ_ROWS = 256;
/** How long the walk may check posts before it yields to the event loop. */
const TURN_MS = 5;

/** The cost of collecting a match from the index, in posts that the database scans. */
const MATCH_COST = 0.25;
/** The cost of reading and checking a post that does not match, in posts that the database scans. */
const READ_COST = 30;

/** The estimated frequency of matches, from a sample of the collection. */
interface Frequency {
  /** The share of matching posts. */
  readonly share: number;
  readonly matches: number;
}

/** Finds a page of results by walking along the list in stretches and checking each post. */
class SearchWalk {
  readonly #condition: PostCondition;
  readonly #stretch: PageRequest;
  readonly #found: ListedPost[] = [];
  readonly #wanted: number;
  /** The cost so far, in posts that the database scans. */
  #cost = 0;
  #turnEnds = performance.now() + TURN_MS;
  #frequency: Frequency | undefined;

  constructor(
    private readonly terms: SearchTerms,
    private readonly page: PageRequest,
    private readonly pages: PostPages,
    private readonly queries: SearchQueries,
    private readonly within: Queryable,
  ) {
    const { condition: sql, isExact } = queries.onWalk;
    this.#condition = { sql, values: queries.onWalk.valuesOf(terms) };
    const toLookAt = {
      fields: page.fields && ([...page.fields, 'title', 'body'] as const),
      maxBodyBytes: LARGE_BODY_BYTES,
    };
    this.#stretch = { ...page, ...(!isExact && toLookAt), offset: 0 };
    this.#wanted = (page.offset ?? 0) + page.rows;
  }

  /** @returns undefined when the caller should query the index instead */
  async find(): Promise<ListedPost[] | undefined> {
    let { after } = this.page;
    for (let rows = SAMPLE_ROWS; ; rows = Math.min(MAX_STRETCH_ROWS, 4 * rows)) {
      const end = await this.#endOf(after, rows);
      if (!(await this.#search(after, end))) return undefined;
      if (end === undefined || this.#found.length >= this.#wanted) return this.#found.slice(this.page.offset);
      this.#cost += rows;
      const { share, matches: all } = await this.frequency();
      const toGo = (this.#wanted - this.#found.length) / share;
      if (Math.max(this.#cost, toGo) > MATCH_COST * all) return undefined;
      after = end;
    }
  }

  async frequency(): Promise<Frequency> {
    return (this.#frequency ??= await this.#sample());
  }

  /** The sort key of the last post in a stretch of this many rows; undefined when fewer rows remain. */
  async #endOf(after: SortKeyValues | undefined, rows: number): Promise<SortKeyValues | undefined> {
    const last = { ...this.page, after, offset: rows - 1, rows: 1, fields: ['id'] as const };
    const [post] = await this.pages.read(last, this.within);
    return post && sortKeyOf(post, this.page.ordering);
  }

  /** Collects matches up to the stretch's end. @returns false when a post cannot be checked */
  async #search(start: SortKeyValues | undefined, end: SortKeyValues | undefined): Promise<boolean> {
    const { ordering, backwards } = this.page;
    const until = end ? including(end, ordering, !backwards) : this.page.until;
    for (let after = start; ;) {
      const rows = Math.min(MAX_READ_ROWS, this.#wanted - this.#found.length);
      const posts = await this.pages.read(
        { ...this.#stretch, after, until, rows },
        this.within,
        this.#condition,
      );
      for (const post of posts) {
        const isFound = await this.#isFound(post);
        if (isFound === undefined) return false;
        if (isFound) this.#found.push(post);
        else this.#cost += READ_COST;
      }
      if (posts.length < rows || this.#found.length >= this.#wanted) return true;
      after = sortKeyOf(posts.at(-1)!, ordering);
    }
  }

  /** Returns undefined for a post with a large body: querying the index is faster than reading it. */
  #isFound({ title, body }: ListedPost): boolean | undefined | Promise<boolean> {
    if (this.queries.onWalk.isExact) return true;
    if (body === null) return undefined;
    const isFound = matches(this.terms, title!, body!);
    if (performance.now() < this.#turnEnds) return isFound;
    return setImmediate(isFound).finally(() => (this.#turnEnds = performance.now() + TURN_MS));
  }

  /** Estimates the frequency from posts at even distances of their ids. */
  async #sample(): Promise<Frequency> {
    const [range] = await this.within.all<{ first: number; last: number }>(ID_RANGE);
    const { first, last } = range!;
    const ids = last + 1 - first;
    const sampled = Array.from({ length: SAMPLE_ROWS }, (_, index) =>
      Math.floor(first + ((index + 0.5) * ids) / SAMPLE_ROWS),
    );
    const posts = await this.pages.read(
      {
        filter: { id: sampled },
        ordering: 'id',
        rows: SAMPLE_ROWS,
        fields: ['title', 'body'],
        maxBodyBytes: LARGE_BODY_BYTES,
      },
      this.within,
      this.#condition,
    );
    let found = 0;
    for (const post of posts) if (await this.#isFound(post)) found++;
    return { share: found / SAMPLE_ROWS, matches: (found / SAMPLE_ROWS) * ids };
  }
}
