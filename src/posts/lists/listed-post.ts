import type { Post } from '../post.entity.js';
import type { PageRow, PostKey, StoredState } from '../posts.sql.js';
import { maxBodyBytes, type PageRequest, type SortKeyValues } from './post-selection.js';

/** A post of a list, without its fields. */
export interface ListedPost {
  readonly id: number;
  readonly version: number;
  readonly modified: string;
  /** 0 where the body was not requested. */
  readonly bodyBytes: number;
  /** The position in the list. */
  readonly sortKey: SortKeyValues;
}

/** Posts, and their texts. */
export interface WrittenPosts {
  readonly posts: readonly ListedPost[];
  /** The requested fields of each post as JSON, with the separator of the selection between them. */
  readonly items: string;
}

/** A post whose body takes too long to be written at once. */
export interface LargePost {
  readonly large: Post;
}

/** A section of a list, and the state of the collection at that moment. */
export interface ListedPosts {
  /** In the order in which they were read. */
  readonly posts: ListedPost[];
  /**
   * The posts as JSON, in the order of the list. Posts whose bodies are too large to be read together with the others are
   * left out: see {@link areWritten}.
   */
  readonly items: string;
  readonly state: StoredState;
}

/** The posts from their JSON, with line feeds between them: JSON has none within a text. */
export function contentsOf<Content>(items: string): Content[] {
  return JSON.parse(`[${items.replaceAll('\n', ',')}]`) as Content[];
}

/** Longer sections are divided before their posts are parsed. */
export const MAX_PARSED_LENGTH = 65_536;

/** Divides a section, with line feeds between its posts, into parts that take a few milliseconds each. */
export function* partsOf({ posts, items }: WrittenPosts): Generator<WrittenPosts> {
  let first = 0;
  let start = 0;
  let at = 0;
  for (let place = 0; place < posts.length; place += 1) {
    const end = items.indexOf('\n', at);
    at = end < 0 ? items.length + 1 : end + 1;
    if (at - start < MAX_PARSED_LENGTH && place + 1 < posts.length) continue;
    yield { posts: posts.slice(first, place + 1), items: items.slice(start, at - 1) };
    first = place + 1;
    start = at;
  }
}

/** The position of a post in its list. */
export function sortKeyOf({ sortKey }: ListedPost): SortKeyValues {
  return sortKey;
}

/** The posts of a row, which a section was read with. */
export function listedPostsOf(row: PageRow, section: PageRequest): ListedPosts {
  const { page, next, count, changes, feedId, modified } = row;
  const endOfKeys = page.indexOf('\n');
  const keys = JSON.parse(page.slice(0, endOfKeys)) as PostKey[];
  const { rows, shownRows = rows, backwards = false } = section;
  const hasNext = keys.length > shownRows;
  if (backwards) keys.reverse();
  if (next !== null) keys.push(JSON.parse(next) as PostKey);
  const posts: ListedPost[] = [];
  for (const key of keys) posts.push(listedPost(key));
  const items = page.slice(endOfKeys + 1);
  return {
    posts,
    items: hasNext ? withoutLast(items, posts.at(-1)!, section) : items,
    state: { count, changes, feedId, modified },
  };
}

/** The items of a page without that of the post behind it. */
function withoutLast(items: string, last: ListedPost, section: PageRequest): string {
  if (!areWritten([last], section)) return items;
  // Within the texts of an item, a backslash precedes each quotation mark.
  const end = items.lastIndexOf(`${section.separator ?? ','}{"`);
  return items.slice(0, Math.max(0, end));
}

function listedPost([id, version, modified, bodyBytes, sorted]: PostKey): ListedPost {
  return { id, version, modified, bodyBytes, sortKey: sorted === undefined ? [id] : [sorted, id] };
}

/** A post that was read alone, as an item of a list. */
export function listedPostOf({ id, version, modified, body }: Post): ListedPost {
  return { id, version, modified, bodyBytes: Buffer.byteLength(body), sortKey: [id] };
}

/** Whether the items of a section have all these posts of it. */
export function areWritten(posts: readonly ListedPost[], section: Pick<PageRequest, 'rows'>): boolean {
  const most = maxBodyBytes(section);
  return posts.every(({ bodyBytes }) => bodyBytes <= most);
}
