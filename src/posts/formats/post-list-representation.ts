import type { Link } from '../../paging/index.js';
import type { ListField } from '../lists/list-fields.js';
import type { ListedPost } from '../lists/listed-post.js';

/** The requested fields; undefined means all. */
export interface ShownFields {
  readonly fields: readonly ListField[] | undefined;
}

/** The data of a page, besides its posts, for a representation. */
export interface ShownList extends ShownFields {
  /** The URL of a post. */
  readonly urlOf: (post: { readonly id: number }) => string;
  /** The URL of the list itself. */
  readonly self: string;
  readonly links: readonly Link[];
  /** Identifies the ordering and the filters, so that all pages of a list have the same name. */
  readonly scope: string;
  /** Identifies this collection of posts globally, whatever its host: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The latest time of change of its posts; empty without posts. */
  readonly modified: string;
}

/** A media type in which lists of posts are available; list-representations.ts has all of them. */
export interface PostListRepresentation<List extends ShownFields = ShownList> {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** A media type that clients ask for: a 406 tells them to ask for this one. */
  readonly inPlaceOf?: string;
  readonly contentType: string;
  /** The name under which a browser saves it, where it cannot show it. */
  readonly fileName?: string;
  /** Without `limit`, the whole selection is streamed. */
  readonly isUnlimited: boolean;
  /** The text before the first post. */
  readonly head: (list: List) => string;
  /** The text between two posts; by default there is none. */
  readonly separator?: string;
  /** The text after the last post; by default there is none. */
  readonly tail?: string;
  /** The text of a post. */
  readonly post: (post: ListedPost, list: List) => string;
}

/** Writes a page at once. */
export function writePage<List extends ShownFields>(
  { head, separator = '', tail = '', post: textOf }: PostListRepresentation<List>,
  posts: readonly ListedPost[],
  list: List,
): string {
  return head(list) + posts.map((post) => textOf(post, list)).join(separator) + tail;
}

/** Writes a list in pieces, each with at least one post. */
export async function* writeList<List extends ShownFields>(
  { head, separator = '', tail = '', post: textOf }: PostListRepresentation<List>,
  batches: AsyncIterable<readonly ListedPost[]>,
  list: List,
): AsyncGenerator<string> {
  // Sent with the first posts, so that a failure to read them can still get an error response.
  let before = head(list);
  for await (const posts of batches) {
    if (posts.length === 0) continue;
    yield before + posts.map((post) => textOf(post, list)).join(separator);
    before = separator;
  }
  yield (before === separator ? '' : before) + tail;
}
