import type { Transaction } from '../../database/database.js';
import type { Author } from '../../http/request/author.js';
import type { Post } from '../post.entity.js';

/** A change of one post: its author, and the post before and after it. */
export type PostChange = { readonly author: Author } & (
  | {
      readonly action: 'created' | 'restored';
      readonly before: undefined;
      readonly after: Post;
    }
  | { readonly action: 'changed'; readonly before: Post; readonly after: Omit<Post, 'modified'> }
  | { readonly action: 'deleted'; readonly before: Post; readonly after: undefined }
);

/** A complete import, reported once for all of its posts. */
export interface PostsImport {
  readonly author: Author;
  /** The lowest id. The range up to `last` may include posts that other requests created at the same time. */
  readonly first: number;
  readonly last: number;
}

/**
 * Is notified of changes of posts in the transaction that makes them, whichever request caused them. Examples are the
 * search index and the history.
 */
export interface PostChangeListener {
  /** @param changes in the order in which they were made; imports call {@link onImport} instead */
  onChanges(transaction: Transaction, changes: readonly PostChange[]): Promise<void> | void;
  /** Called once per import, in the transaction that makes its posts visible. Its words are already indexed. */
  onImport?(transaction: Transaction, posts: PostsImport): Promise<void> | void;
}

/** Injects the list of listeners; see post-changes.module.ts. */
export const POST_CHANGE_LISTENERS = Symbol('PostChangeListeners');

/** Additional work in the transaction that stores something. */
export interface TransactionHooks<Stored, Result> {
  /** Runs first. */
  readonly before: (transaction: Transaction) => Promise<void>;
  /** Computes the result from what was stored. */
  readonly after: (transaction: Transaction, stored: Stored) => Promise<Result>;
}
