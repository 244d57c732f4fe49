import type { Link } from '../../http/link-header.js';
import type { Representation } from '../../http/route.js';
import type { PostField } from '../dto/post.dto.js';
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
  /** Fields that it cannot do without, whatever `fields` says; it does not show them because of that. */
  readonly alsoReads?: readonly PostField[];
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
}

/** A page as a whole. */
export function writePage(
  representation: PostListRepresentation,
  posts: readonly Partial<Post>[],
  list: PostList,
): string {
  if (representation.page) return representation.page(posts, list);
  const { head, separator, tail, post } = representation.format(posts, list);
  return head + posts.map(post).join(separator) + tail;
}

/** Writes a list post by post; whatever it wrote so far is well-formed. */
export interface LineFormat {
  /** What comes before the first post. */
  head(fields: readonly PostField[] | undefined): string;
  /** A post with its line ending. */
  line(post: Partial<Post>, fields: readonly PostField[] | undefined): string;
}

/** A page of a format that has nothing but lines. */
export function pageOfLines(format: LineFormat): PostListRepresentation['format'] {
  return (_posts, { fields }) => ({
    head: format.head(fields),
    separator: '',
    tail: '',
    post: (post) => format.line(post, fields),
  });
}
