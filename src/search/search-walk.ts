import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../database/database.js';
import { including, sortKeyOf, type SortKeyValues } from '../posts/lists/post-ordering.js';
import type { PostCondition } from '../posts/lists/post-page-queries.js';
import type { PageRequest } from '../posts/lists/post-selection.js';
import type { PostPages } from '../posts/lists/post-pages.js';
import type { Post } from '../posts/post.entity.js';
import { ID_RANGE, type SearchQueries } from './search-queries.js';
import { matches, type SearchTerms } from './search-terms.js';

/** The first stretch of a walk, and of the posts that tell how common a search is. */
const SAMPLE_ROWS = 64;
/** The longest stretch: some milliseconds, for which others wait on SQLite. */
const MAX_STRETCH_ROWS = 1_024;
/** What a query brings at the most of a stretch. */
const MAX_READ_ROWS = 256;
/** So long posts may be looked at before others have their turn. */
const TURN_MS = 5;

/** What it costs to gather a match from the index, in posts that are walked past in the database. */
const MATCH_COST = 0.25;
/** What it costs to read a post in vain and look at it here, in the same. */
const READ_COST = 30;
/** What is known of a search by looking at posts from all over the collection. */
interface Frequency {
  /** The share of the posts. */
  readonly share: number;
  readonly matches: number;
}

/** Finds a page of what is searched for by going along the list, a stretch at a time, and looking at each post. */
export class SearchWalk {
  readonly #condition: PostCondition;
  readonly #stretch: PageRequest;
  readonly #found: Partial<Post>[] = [];
  readonly #wanted: number;
  /** In posts that were walked past. */
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
      leavesOutLargeBodies: true,
    };
    this.#stretch = { ...page, ...(!isExact && toLookAt), offset: 0 };
    this.#wanted = page.offset + page.rows;
  }

  /** @returns undefined when the index is to be asked */
  async find(): Promise<Partial<Post>[] | undefined> {
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

  /** The key of the last post of a stretch of so many; undefined when there are not so many. */
  async #endOf(after: SortKeyValues | undefined, rows: number): Promise<SortKeyValues | undefined> {
    const last = { ...this.page, after, offset: rows - 1, rows: 1, fields: ['id'] as const };
    const [post] = await this.pages.read(last, this.within);
    return post && sortKeyOf(post, this.page.ordering);
  }

  /** Finds what is wanted up to the end. @returns false when there is a post that cannot be looked at */
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

  /** Undefined of a post with a large body: rather than read it, the index is asked. */
  #isFound({ title, body }: Partial<Post>): boolean | undefined | Promise<boolean> {
    if (this.queries.onWalk.isExact) return true;
    if (body === null) return undefined;
    const isFound = matches(this.terms, title!, body!);
    if (performance.now() < this.#turnEnds) return isFound;
    return setImmediate(isFound).finally(() => (this.#turnEnds = performance.now() + TURN_MS));
  }

  /** Looks at posts at even distances. */
  async #sample(): Promise<Frequency> {
    const [range] = await this.within.all<{ first: number; last: number }>(ID_RANGE);
    const { first, last } = range!;
    const ids = last + 1 - first;
    const sampled = Array.from({ length: SAMPLE_ROWS }, (_, index) =>
      Math.floor(first + ((index + 0.5) * ids) / SAMPLE_ROWS),
    );
    const posts = await this.pages.read(
      {
        filter: { ids: sampled },
        ordering: 'id',
        backwards: false,
        after: undefined,
        offset: 0,
        rows: SAMPLE_ROWS,
        fields: ['title', 'body'],
        leavesOutLargeBodies: true,
      },
      this.within,
      this.#condition,
    );
    let found = 0;
    for (const post of posts) if (await this.#isFound(post)) found++;
    return { share: found / SAMPLE_ROWS, matches: (found / SAMPLE_ROWS) * ids };
  }
}
