import type { Queryable } from '../../database/database.js';
import type { Post } from '../post.entity.js';
import type { DateCount, ListedPost } from './post-pages.repository.js';
import type { PageRequest, PostFilter } from './post-selection.js';

/** Runs work that reads very many rows, without blocking other queries. */
export type Slowly = <Result>(work: (within: Queryable) => Promise<Result>) => Promise<Result>;

/** Finds posts by their words. The search index provides it. The `search` is what the client typed. */
export abstract class PostSearch {
  abstract find(search: string, page: PageRequest, within: Queryable, slowly: Slowly): Promise<ListedPost[]>;

  abstract count(search: string, filter: PostFilter, within: Queryable): Promise<number>;

  abstract countByDate(search: string, filter: PostFilter, within: Queryable): Promise<DateCount[]>;

  /**
   * The words of a long post, to be passed on with its change. Within the transaction, their extraction would block all
   * other writes for seconds.
   *
   * @returns undefined for a short post
   */
  abstract wordsOfLong(post: Pick<Post, 'title' | 'body'>): Promise<readonly string[] | undefined>;
}
