import type { Transaction } from '../database/database.js';
import type { Post } from './post.entity.js';

/** A change of one post: made (`after` alone), replaced (both), or deleted (`before` alone). */
export type PostChange =
  | { readonly before: undefined; readonly after: Post }
  | { readonly before: Post; readonly after: Post }
  | { readonly before: Post; readonly after: undefined };

/**
 * Something that changes with the posts, in the very transaction that changes them, whatever way the change came in: a
 * search index, a history.
 */
export interface PostCompanion {
  /** @param changes of any number of posts, in the order in which they were made */
  record(transaction: Transaction, changes: readonly PostChange[]): Promise<void>;
  /**
   * Records that all posts with these ids were made by an import, which this transaction makes visible. Only where an
   * import takes many transactions (SQLite); its search index is made on the way.
   */
  recordImport?(
    transaction: Transaction,
    ids: { readonly first: number; readonly last: number },
  ): Promise<void>;
}

/** Injects the companions of the posts, as a list. */
export const POST_COMPANIONS = Symbol('PostCompanions');
