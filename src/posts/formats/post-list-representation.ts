import type { Link } from '../../paging/index.js';
import { ListedPostDto } from '../dto/post.dto.js';
import { type ListField, shownFields } from '../lists/list-fields.js';
import { type LargePost, listedPostOf, type WrittenPosts } from '../lists/listed-post.js';
import type { Post } from '../post.entity.js';
import type { Separator } from '../posts.sql.js';

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
  /** Goes between the posts as JSON, which {@link items} gets. */
  readonly separator: Separator;
  /** The text after the last post; by default there is none. */
  readonly tail?: string;
  /** The text of one or several posts. Between two such texts the list has {@link between}, by default nothing. */
  readonly items: (posts: WrittenPosts, list: List) => string;
  readonly between?: string;
  /** Writes one post as {@link items} would, in pieces between which other requests run. Without it, one piece is written. */
  readonly pieces?: ((post: Post, list: List) => AsyncIterable<string>) | undefined;
}

/** Writes a page at once. */
export function writePage<List extends ShownFields>(
  { head, tail = '', items }: PostListRepresentation<List>,
  page: WrittenPosts,
  list: List,
): string {
  return head(list) + (page.posts.length === 0 ? '' : items(page, list)) + tail;
}

/** Writes a list in pieces, each with at least one post. */
export async function* writeList<List extends ShownFields>(
  { head, between = '', tail = '', items, pieces }: PostListRepresentation<List>,
  batches: AsyncIterable<WrittenPosts | LargePost>,
  list: List,
): AsyncGenerator<string> {
  // Sent with the first posts, so that a failure to read them can still get an error response.
  let before = head(list);
  for await (const batch of batches) {
    if ('large' in batch) {
      if (before !== '') yield before;
      if (pieces) yield* pieces(batch.large, list);
      else yield items(writtenAtOnce(batch, list), list);
    } else if (batch.posts.length > 0) {
      yield before + items(batch, list);
    } else {
      continue;
    }
    before = between;
  }
  yield (before === between ? '' : before) + tail;
}

function writtenAtOnce({ large }: LargePost, { fields }: ShownFields): WrittenPosts {
  const items = JSON.stringify(ListedPostDto.from(large), [...shownFields(fields)]);
  return { posts: [listedPostOf(large)], items };
}
