import type { Transaction } from '../../database/database.js';
import type { Author } from '../../http/request/author.js';
import type { Post } from '../post.entity.js';

/** A change of one post, by whom it was made, and what the post was before and is after it. */
export type PostChange = { readonly author: Author } & (
  | {
      readonly action: 'created' | 'restored';
      readonly before: undefined;
      readonly after: Post;
    }
  | { readonly action: 'changed'; readonly before: Post; readonly after: Post }
  | { readonly action: 'deleted'; readonly before: Post; readonly after: undefined }
);

/** An import that is complete, once for all of its posts. */
export interface PostsImport {
  readonly author: Author;
  /** Its lowest id. Ids between the two may be those of posts that others made at the same time, one by one. */
  readonly first: number;
  readonly last: number;
}

/**
 * Listens to changes of posts in the very transaction that makes them, whatever way they came in: a search index, a
 * history.
 */
export interface PostChangeListener {
  /** @param changes of any number of posts, in the order in which they were made. Those of an import are not among them. */
  onChanges(transaction: Transaction, changes: readonly PostChange[]): Promise<void>;
  /** Learns of an import as a whole, in the transaction that makes its posts visible. Its words were indexed on the way. */
  onImport?(transaction: Transaction, posts: PostsImport): Promise<void>;
}

/** Injects the listeners, as a list; see post-changes.module.ts. */
export const POST_CHANGE_LISTENERS = Symbol('PostChangeListeners');

/** What is done besides, in the transaction that stores something. */
export interface TransactionHooks<Stored, Result> {
  /** Comes first. */
  readonly before: (transaction: Transaction) => Promise<void>;
  /** Makes the result of what was stored. */
  readonly after: (transaction: Transaction, stored: Stored) => Promise<Result>;
}
