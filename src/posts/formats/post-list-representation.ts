import type { Representation } from '../../http/pipeline/route-table.js';
import {
  isLargeText,
  LARGE_BYTES,
  nextTurn,
  SLICE_BYTES,
  SlicedBody,
  type SlicedText,
} from '../../http/request/slices.js';
import type { Link } from '../../http/response/page-links.js';
import type { PostField, ReadField } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';

/** The data of a list, besides its posts, for a representation. */
export interface ShownList {
  /** The requested fields; undefined means all. */
  readonly fields: readonly PostField[] | undefined;
  /** The URL of a post. */
  readonly urlOf: (post: Partial<Post>) => string;
  /** The URL of the list itself. */
  readonly self: string;
  readonly links: readonly Link[];
  /** Identifies the ordering and the filters, so that all pages of a list have the same name. */
  readonly scope: string;
  /** Identifies this collection of posts globally, whatever its host: 32 hexadecimal digits. */
  readonly feedId: string;
}

/**
 * A media type in which lists of posts are available. {@link import('./list-representations.js').LIST_REPRESENTATIONS}
 * has all of them.
 */
export interface PostListRepresentation extends Representation {
  readonly contentType: string;
  /** The name under which a browser saves it, where it cannot show it. */
  readonly fileName?: string;
  /** Fields that it reads even if `fields` does not request them. They are not shown as fields. */
  readonly alsoReads?: readonly ReadField[];
  /**
   * The parts of a page, written post by post; joined, they are a text of the media type.
   *
   * @param posts the posts of the page; large bodies may be missing
   */
  format(posts: readonly Partial<Post>[], list: ShownList): PageFormat;
  /** Writes the same text at once, where that is faster. */
  page?(posts: readonly Partial<Post>[], list: ShownList): string;
  /** Only for representations of unlimited length: without `limit`, the whole selection is streamed. */
  readonly lines?: LineFormat;
}

/** The parts of a page. */
export interface PageFormat {
  /** The text before the first post. */
  readonly head: string;
  /** The text between two posts. */
  readonly separator: string;
  /** The text after the last post. */
  readonly tail: string;
  /** Writes a post with its body. */
  readonly post: (post: Partial<Post>) => string;
  /** Writes a post with a large body, which is shown. */
  readonly largePost: (post: Partial<Post>) => SlicedText;
}

/** Writes a whole page; a large page is generated while it is sent. */
export function writePage(
  representation: PostListRepresentation,
  posts: readonly Partial<Post>[],
  list: ShownList,
): string | SlicedBody {
  if (representation.page) return representation.page(posts, list);
  const format = representation.format(posts, list);
  const { head, separator, tail, post } = format;
  const length = posts.reduce((sum, { body = '' }) => sum + body.length, 0);
  if (length <= LARGE_BYTES) return head + posts.map(post).join(separator) + tail;
  return new SlicedBody(length, async function* slices() {
    yield* writePosts(posts, format, head);
    yield tail;
  });
}

/**
 * Writes posts and separators in pieces. Other requests run between two pieces.
 *
 * @param start the text before the first post
 */
export async function* writePosts(
  posts: readonly Partial<Post>[],
  { post, largePost, separator }: Pick<PageFormat, 'post' | 'largePost' | 'separator'>,
  start = '',
): AsyncGenerator<string> {
  let piece = start;
  for (const [index, each] of posts.entries()) {
    if (index > 0) piece += separator;
    if (each.body !== undefined && isLargeText(each.body)) {
      yield piece;
      piece = '';
      yield* largePost(each).slices();
    } else {
      piece += post(each);
      if (piece.length < SLICE_BYTES) continue;
      yield piece;
      piece = '';
      await nextTurn();
    }
  }
  if (piece !== '') yield piece;
}

/** Writes a list post by post; the text is well-formed after each post. */
export interface LineFormat {
  /** The text before the first post. */
  head(fields: readonly PostField[] | undefined): string;
  /** Writes a post with its line ending. */
  line(post: Partial<Post>, fields: readonly PostField[] | undefined): string;
  /** Writes a post with a large body, which is shown. */
  largeLine(post: Partial<Post>, fields: readonly PostField[] | undefined): SlicedText;
}

/** A page of a format that consists only of lines. */
export function pageOfLines(format: LineFormat): PostListRepresentation['format'] {
  return (_posts, { fields }) => ({
    head: format.head(fields),
    separator: '',
    tail: '',
    post: (post) => format.line(post, fields),
    largePost: (post) => format.largeLine(post, fields),
  });
}
