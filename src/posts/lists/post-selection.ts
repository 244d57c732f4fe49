import type { PageCursor } from '../../http/response/page-links.js';
import type { PostField } from '../dto/post.dto.js';
import { type Ordering, orderingKey, type SortKey, type SortKeyValues } from './post-ordering.js';

/** What a list can read: the fields of a post, and the time of its last change. */
export type ReadField = PostField | 'modified';

/** Selects posts, whatever their order. */
export interface PostFilter {
  /** Inclusive lower bound of `pub_date`, in its stored form. */
  readonly publishedFrom?: string | undefined;
  /** Exclusive upper bound of `pub_date`, in its stored form. */
  readonly publishedBefore?: string | undefined;
  /** Inclusive lower bound of the time of change, in its stored form. */
  readonly modifiedFrom?: string | undefined;
  readonly title?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** The search text that a person typed; see search/search-terms.ts. */
  readonly search?: string | undefined;
}

/** Whether the filter matches all posts. */
export function isEmpty(filter: PostFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** A page of a list, which starts after a cursor or after a number of posts. */
export interface PostSelection {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: PageCursor | undefined;
  /** The fields to read; undefined means all. */
  readonly fields: readonly ReadField[] | undefined;
}

/** A contiguous section of an ordered list. */
export interface PageRequest {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
  /** Walks against the ordering and returns the rows in reverse. */
  readonly backwards: boolean;
  /** The walk starts after this sort key; undefined or empty means that it starts at the end of the list. */
  readonly after: SortKeyValues | undefined;
  /** The walk stops before this sort key; undefined or empty means that it goes on to the other end of the list. */
  readonly until?: SortKeyValues | undefined;
  readonly offset: number;
  /** The maximum number of rows. */
  readonly rows: number;
  /** The fields to read; undefined means all. */
  readonly fields: readonly ReadField[] | undefined;
  /** Reads null for a body of more than LARGE_BODY_BYTES, so that the rows take little memory. */
  readonly leavesOutLargeBodies?: boolean;
}

/** The filters that bound a sort key. */
const RANGES: Readonly<
  Partial<Record<SortKey[0], { readonly from: keyof DateBounds; readonly before?: keyof DateBounds }>>
> = {
  pubDate: { from: 'publishedFrom', before: 'publishedBefore' },
  modified: { from: 'modifiedFrom' },
};

type DateBounds = Pick<PostFilter, 'publishedFrom' | 'publishedBefore' | 'modifiedFrom'>;

/**
 * The same section without redundant bounds. With two bounds on one side, a database starts at the first one and scans
 * all posts up to the second one.
 */
export function withoutIdleBounds(page: PageRequest): PageRequest {
  const { key, descending } = orderingKey(page.ordering);
  const range = RANGES[key[0]];
  if (!range) return page;
  const goesDown = descending !== page.backwards;
  let from = page.filter[range.from];
  let before = range.before && page.filter[range.before];
  let [lower, upper] = goesDown ? [page.until, page.after] : [page.after, page.until];
  if (from !== undefined && lower?.length) {
    if (dateOf(lower) >= from) from = undefined;
    else lower = undefined;
  }
  if (before !== undefined && upper?.length) {
    if (dateOf(upper) < before) before = undefined;
    else upper = undefined;
  }
  const [after, until] = goesDown ? [upper, lower] : [lower, upper];
  const filter = { ...page.filter, [range.from]: from, ...(range.before && { [range.before]: before }) };
  return { ...page, filter, after, until };
}

/**
 * The part of the sort key that distinguishes the posts of a list. Posts filtered by title share their title, and a
 * database that compares it scans all of them.
 */
export function distinctiveKey({ ordering, filter, after, until }: PageRequest): readonly SortKey[number][] {
  const { key } = orderingKey(ordering);
  const isSame = (values: SortKeyValues | undefined): boolean =>
    !values?.length || values[0] === filter.title;
  return key[0] === 'title' && filter.title !== undefined && isSame(after) && isSame(until) ? ['id'] : key;
}

/** Whether one index has the matching posts in the order of the list, so that only the posts of a page are read. */
export function isIndexed({ filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>): boolean {
  const { key } = orderingKey(ordering);
  const isBounded = (property: 'pubDate' | 'modified'): boolean => {
    const { from, before } = RANGES[property]!;
    return filter[from] !== undefined || (before !== undefined && filter[before] !== undefined);
  };
  const bounded = (['pubDate', 'modified'] as const).filter(isBounded);
  if (filter.title !== undefined) return (key[0] === 'id' || key[0] === 'title') && bounded.length === 0;
  return bounded.every((property) => property === key[0]);
}

function dateOf(key: SortKeyValues): string {
  return key[0] as string;
}
