import type { Queryable } from '../../database/database.js';
import type { Post } from '../post.entity.js';
import type { ListedPost, PostCondition } from './post-pages.repository.js';
import type { PageRequest } from './post-selection.js';

/** Runs work that reads very many rows, without blocking other queries. */
export type Slowly = <Result>(work: (within: Queryable) => Promise<Result>) => Promise<Result>;

/** How a search reads posts. */
export interface SearchReader {
  readonly within: Queryable;
  readonly slowly: Slowly;
  /** Reads the posts of a section that meet the condition, whatever the `search` of its filter. */
  readonly read: (page: PageRequest, within: Queryable, condition?: PostCondition) => Promise<ListedPost[]>;
}

/** Finds posts by their words. The search index provides it. The `search` is what the client typed. */
export abstract class PostSearch {
  abstract find(search: string, page: PageRequest, reader: SearchReader): Promise<ListedPost[]>;

  /** A condition for queries that read all matching posts. */
  abstract condition(search: string): PostCondition;

  /**
   * The texts that the index stores for a long post, to be passed on with its change. Within the transaction, their extraction would block all
   * other writes for seconds.
   *
   * @returns undefined for a short post
   */
  abstract wordsOfLong(post: Pick<Post, 'title' | 'body'>): Promise<readonly string[] | undefined>;
}
