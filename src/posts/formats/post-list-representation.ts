import type { Representation } from '../../http/request/operation.decorator.js';
import { nextTurn, SLICE_BYTES, slicesOf } from '../../http/request/slices.js';
import type { Link } from '../../http/response/page-links.js';
import type { PostField } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';

/** The requested fields; undefined means all. */
export interface ShownFields {
  readonly fields: readonly PostField[] | undefined;
}

/** The data of a page, besides its posts, for a representation. */
export interface ShownList extends ShownFields {
  /** The URL of a post. */
  readonly urlOf: (post: Partial<Post>) => string;
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

/** A post as text. The body is not escaped yet, because a large one is escaped slice by slice. */
export type PostText = readonly [before: string, body: string, after: string];

/**
 * A media type in which lists of posts are available. {@link import('./list-representations.js').LIST_REPRESENTATIONS}
 * has all of them.
 */
export interface PostListRepresentation<List extends ShownFields = ShownList> extends Representation {
  readonly contentType: string;
  /** The name under which a browser saves it, where it cannot show it. */
  readonly fileName?: string;
  /** Without `limit`, the whole selection is streamed. */
  readonly isUnlimited: boolean;
  /** The text before the first post. */
  head(list: List): string;
  /** The text between two posts. */
  readonly separator: string;
  /** The text after the last post. */
  readonly tail: string;
  post(post: Partial<Post>, list: List): PostText;
  /** Escapes a body, or a part of it. */
  readonly escape: (text: string) => string;
}

/** Writes a page at once. */
export function writePage<List extends ShownFields>(
  format: PostListRepresentation<List>,
  posts: readonly Partial<Post>[],
  list: List,
): string {
  const texts = posts.map((post) => {
    const [before, body, after] = format.post(post, list);
    return before + Array.from(slicesOf(body), format.escape).join('') + after;
  });
  return format.head(list) + texts.join(format.separator) + format.tail;
}

/** Writes a list in pieces, each with at least one post. Other requests run between two pieces. */
export async function* writeList<List extends ShownFields>(
  format: PostListRepresentation<List>,
  batches: AsyncIterable<readonly Partial<Post>[]>,
  list: List,
): AsyncGenerator<string> {
  // Sent with the first posts, so that a failure to read them can still get an error response.
  let piece = format.head(list);
  let separator = '';
  for await (const posts of batches) {
    for (const post of posts) {
      const [before, body, after] = format.post(post, list);
      piece += separator + before;
      ({ separator } = format);
      for (const slice of slicesOf(body)) {
        piece += format.escape(slice);
        if (piece.length < SLICE_BYTES) continue;
        yield piece;
        piece = '';
        await nextTurn();
      }
      piece += after;
    }
    if (piece !== '') yield piece;
    piece = '';
  }
  yield piece + format.tail;
}
