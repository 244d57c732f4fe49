import type { linksOfPage } from '../../paging/index.js';
import { inTurn } from '../../turns/index.js';
import type { ListField } from '../lists/list-fields.js';
import {
  type LargePost,
  type ListedPost,
  MAX_PARSED_LENGTH,
  partsOf,
  type WrittenPosts,
} from '../lists/listed-post.js';
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
  readonly links: ReturnType<typeof linksOfPage>;
  /** Identifies the ordering and the filters, so that all pages of a list have the same name. */
  readonly scope: string;
  /** Identifies this collection of posts globally, whatever its host: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The posts of a page; none for a whole list, whose posts are not known before they are sent. */
  readonly rows: readonly ListedPost[];
}

/** A media type in which lists of posts are available; list-representations.ts has all of them. */
export interface PostListRepresentation<List extends ShownFields = ShownList> {
  /** In lower case, without parameters: `text/csv`. */
  readonly mediaType: string;
  /** A media type that clients ask for: a 406 tells them to ask for this one. */
  readonly inPlaceOf?: string;
  readonly contentType: string;
  /** Whether lists and the entry point link to it (`alternate`), for readers of feeds, which look for such a link. */
  readonly isLinked?: true;
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
  /**
   * Whether {@link items} parses the posts, which have line feeds between them: then a long section is divided, and other
   * requests run between its parts.
   */
  readonly parsesItems?: true;
  /** The text of one or several posts. Between two such texts the list has {@link between}, by default nothing. */
  readonly items: (posts: WrittenPosts, list: List) => string;
  readonly between?: string;
  /** Writes one post for a client as {@link items} would, in pieces between which other requests run. */
  readonly pieces: (post: Post, list: List, client: string) => AsyncIterable<string>;
}

/** A page that is written while it is sent. */
interface LongPage {
  chunks(client: string): AsyncIterable<string>;
  readonly heldBytes: number;
}

/** Writes a page: a short one at once, a longer one while it is sent. */
export function writePage<List extends ShownFields>(
  representation: PostListRepresentation<List>,
  page: WrittenPosts,
  list: List,
): string | LongPage {
  const { head, tail = '', items, parsesItems } = representation;
  if (parsesItems && page.items.length > MAX_PARSED_LENGTH) {
    const chunks = (client: string) => writeList(representation, [page], list, client);
    return { chunks, heldBytes: Buffer.byteLength(page.items) };
  }
  return head(list) + (page.posts.length === 0 ? '' : items(page, list)) + tail;
}

/** Writes a list for a client in pieces, each with at least one post. */
export async function* writeList<List extends ShownFields>(
  { head, between = '', tail = '', items, parsesItems, pieces }: PostListRepresentation<List>,
  batches: AsyncIterable<WrittenPosts | LargePost> | Iterable<WrittenPosts>,
  list: List,
  client: string,
): AsyncGenerator<string> {
  // Sent with the first posts, so that a failure to read them can still get an error response.
  let before = head(list);
  for await (const batch of batches) {
    if ('large' in batch) {
      if (before !== '') yield before;
      yield* pieces(batch.large, list, client);
    } else if (batch.posts.length === 0) {
      continue;
    } else if (parsesItems) {
      if (before !== '') yield before;
      for (const part of partsOf(batch)) yield await inTurn(() => items(part, list), client);
    } else {
      yield before + items(batch, list);
    }
    before = between;
  }
  yield (before === between ? '' : before) + tail;
}
