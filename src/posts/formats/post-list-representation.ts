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
import type { PostField } from '../dto/post.dto.js';
import type { ReadField } from '../lists/post-selection.js';
import type { Post } from '../post.entity.js';

/** What a representation may say of a list besides its posts. */
export interface PostList {
  /** The fields that were asked for; undefined means all. */
  readonly fields: readonly PostField[] | undefined;
  /** The URL of one of the posts. */
  readonly urlOf: (post: Partial<Post>) => string;
  /** The URL of the list itself. */
  readonly self: string;
  readonly links: readonly Link[];
  /** Names the ordering and the filters, so that all pages of a list have one name. */
  readonly scope: string;
  /** Names this collection of posts among all others, whatever host it is served by: 32 hexadecimal digits. */
  readonly feedId: string;
}

/**
 * A media type that a list of posts can be had in. Each has a file of its own; those of
 * {@link import('./list-representations.js').LIST_REPRESENTATIONS} can be asked for.
 */
export interface PostListRepresentation extends Representation {
  readonly contentType: string;
  /** What it cannot do without, whatever `fields` says; it shows no field because of that. */
  readonly alsoReads?: readonly ReadField[];
  /**
   * How a page is written post by post: all together it is a text of the media type.
   *
   * @param posts those of the page; the large ones may lack their bodies
   */
  format(posts: readonly Partial<Post>[], list: PostList): PageFormat;
  /** The same text at once, where that is faster. */
  page?(posts: readonly Partial<Post>[], list: PostList): string;
  /** Of a representation that can go on without an end: without `limit`, all of the selection is streamed. */
  readonly lines?: LineFormat;
}

/** What a page is made of. */
export interface PageFormat {
  /** What comes before the first post. */
  readonly head: string;
  /** What stands between two posts. */
  readonly separator: string;
  /** What comes after the last post. */
  readonly tail: string;
  /** A post, with its body. */
  readonly post: (post: Partial<Post>) => string;
  /** The same of a post with a large body, which is shown. */
  readonly largePost: (post: Partial<Post>) => SlicedText;
}

/** A page as a whole; a large one is made as it is sent. */
export function writePage(
  representation: PostListRepresentation,
  posts: readonly Partial<Post>[],
  list: PostList,
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
 * Posts, with what stands between them, in pieces. Other requests have their turn between two of them.
 *
 * @param start what comes before the first post
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

/** Writes a list post by post; whatever it wrote so far is well-formed. */
export interface LineFormat {
  /** What comes before the first post. */
  head(fields: readonly PostField[] | undefined): string;
  /** A post with its line ending. */
  line(post: Partial<Post>, fields: readonly PostField[] | undefined): string;
  /** The same of a post with a large body, which is shown. */
  largeLine(post: Partial<Post>, fields: readonly PostField[] | undefined): SlicedText;
}

/** A page of a format that has nothing but lines. */
export function pageOfLines(format: LineFormat): PostListRepresentation['format'] {
  return (_posts, { fields }) => ({
    head: format.head(fields),
    separator: '',
    tail: '',
    post: (post) => format.line(post, fields),
    largePost: (post) => format.largeLine(post, fields),
  });
}
