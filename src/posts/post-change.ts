import type { Transaction } from '../database/database.js';
import type { Author } from '../http/author.js';
import type { Post } from './post.entity.js';

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
 * Something that changes with the posts, in the very transaction that changes them, whatever way the change came in: a
 * search index, a history.
 */
export interface PostCompanion {
  /** @param changes of any number of posts, in the order in which they were made. Those of an import are not among them. */
  record(transaction: Transaction, changes: readonly PostChange[]): Promise<void>;
  /** Records an import as a whole, in the transaction that makes its posts visible. Its words were indexed on the way. */
  recordImport?(transaction: Transaction, posts: PostsImport): Promise<void>;
}

/** Injects the companions of the posts, as a list. */
export const POST_COMPANIONS = Symbol('PostCompanions');

/** What is done besides, in the transaction that stores something. */
export interface Around<Stored, Result> {
  /** Comes first. */
  readonly begin: (transaction: Transaction) => Promise<void>;
  /** Makes the result of what was stored. */
  readonly conclude: (transaction: Transaction, stored: Stored) => Promise<Result>;
}
