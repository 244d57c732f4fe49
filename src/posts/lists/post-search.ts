import type { Queryable } from '../../database/database.js';
import type { ListedPost } from './post-pages.js';
import type { PageRequest, PostFilter } from './post-selection.js';

/** Runs work that reads very many rows, without blocking other queries. */
export type Slowly = <Result>(work: (within: Queryable) => Promise<Result>) => Promise<Result>;

/** Finds posts by their words. The search index provides it. The `search` is what the client typed. */
export abstract class PostSearch {
  abstract find(search: string, page: PageRequest, within: Queryable, slowly: Slowly): Promise<ListedPost[]>;

  abstract count(search: string, filter: PostFilter, within: Queryable): Promise<number>;

  /** A date is a day (`2026-11-20`), or a second near the ends of a month. */
  abstract countByDate(
    search: string,
    filter: PostFilter,
    within: Queryable,
  ): Promise<{ date: string; posts: number }[]>;
}
