import type { Author } from '../../http/request/author.js';
import type { Post } from '../post.entity.js';

/** A post whose time of change the database knows. */
export type StoredPost = Omit<Post, 'modified'>;

/** A change of one post: its author, and the post before and after it. */
export type PostChange = {
  readonly author: Author;
  /** The words of a long post after the change; see lists/post-search.ts. */
  readonly words?: readonly string[] | undefined;
} & (
  | { readonly action: 'created'; readonly before: undefined; readonly after: StoredPost }
  | {
      /** A deleted post, or an earlier version of an existing one, can be restored. */
      readonly action: 'restored';
      readonly before: Post | undefined;
      readonly after: StoredPost;
    }
  | { readonly action: 'changed'; readonly before: Post; readonly after: StoredPost }
  | { readonly action: 'deleted'; readonly before: Post; readonly after: undefined }
);

/** A complete import, reported once for all of its posts. */
export interface PostsImport {
  readonly author: Author;
  /** The lowest id. The range up to `last` may include posts that other requests created at the same time. */
  readonly first: number;
  readonly last: number;
}
