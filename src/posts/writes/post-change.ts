import type { Author } from '../../http/request/author.js';
import { titleKey } from '../folded-text.js';
import { type NewPost, type Post, UNKNOWN_TIME } from '../post.entity.js';

/**
 * A change of one post: its author, and the post before and after it. PostWritesRepository sets the id of a created post,
 * and the time of change of every one.
 */
export type PostChange = {
  readonly author: Author;
  /** The words of a long post after the change; see lists/post-search.ts. */
  readonly words?: readonly string[] | undefined;
} & (
  | { readonly action: 'created'; readonly before: undefined; readonly after: Required<Post> }
  | {
      /** A deleted post, or an earlier version of an existing one, can be restored. */
      readonly action: 'restored';
      readonly before: Post | undefined;
      readonly after: Required<Post>;
    }
  | { readonly action: 'changed'; readonly before: Post; readonly after: Required<Post> }
  | { readonly action: 'deleted'; readonly before: Post; readonly after: undefined }
);

/** The post as a change leaves it. Only a new post has no id yet. */
export function postAfter(content: NewPost, id = 0, version = 1): Required<Post> {
  return { ...content, id, version, modified: UNKNOWN_TIME, titleKey: titleKey(content.title) };
}

/** A complete import, reported once for all of its posts. */
export interface PostsImport {
  readonly author: Author;
  /** The lowest id. The range up to `last` may include posts that other requests created at the same time. */
  readonly first: number;
  readonly last: number;
}
