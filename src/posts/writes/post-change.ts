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
  | {
      /** An earlier version of an existing post can be restored, too. */
      readonly action: 'changed' | 'restored';
      readonly before: Post;
      readonly after: Omit<Post, 'modified'>;
    }
  | { readonly action: 'deleted'; readonly before: Post; readonly after: undefined }
);

/** A complete import, reported once for all of its posts. */
export interface PostsImport {
  readonly author: Author;
  /** The lowest id. The range up to `last` may include posts that other requests created at the same time. */
  readonly first: number;
  readonly last: number;
}

/** Additional work in the transaction that stores something. */
export interface TransactionHooks<Stored, Result> {
  /** Runs first. */
  readonly before: (transaction: Transaction) => Promise<void>;
  /** Computes the result from what was stored. */
  readonly after: (transaction: Transaction, stored: Stored) => Promise<Result>;
}
