import type { PageCursor } from '../../http/response/page-links.js';
import type { PostField } from '../dto/post.dto.js';
import { type Ordering, orderingKey, type SortKey, type SortKeyValues } from './post-ordering.js';

/** What a list can read of a post: its fields, and the time of its last change. */
export type ReadField = PostField | 'modified';

/** Which posts, whatever their order. */
export interface PostFilter {
  /** Stored form of a date: posts of then or later. */
  readonly publishedFrom?: string | undefined;
  /** Stored form of a date: posts of before then. */
  readonly publishedBefore?: string | undefined;
  /** Stored form of a date: posts that were changed then or later. */
  readonly modifiedFrom?: string | undefined;
  readonly title?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** What a person typed; see search/search-terms.ts. */
  readonly search?: string | undefined;
}

/** Whether all posts are let through. */
export function isEmpty(filter: PostFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** A page of a list, or where it starts: after a cursor, or after a number of posts. */
export interface PostSelection {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: PageCursor | undefined;
  /** What is to be read; everything when undefined. */
  readonly fields: readonly ReadField[] | undefined;
}

/** A stretch of an ordered list. */
export interface PageRequest {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
  /** Walks against the ordering: the rows come in reverse. */
  readonly backwards: boolean;
  /** The sort key behind which the walk starts; without one, or with an empty one, it starts at the list's end. */
  readonly after: SortKeyValues | undefined;
  /** The sort key before which the walk ends; without one, or with an empty one, it goes on to the list's other end. */
  readonly until?: SortKeyValues | undefined;
  readonly offset: number;
  /** The number of rows at the most. */
  readonly rows: number;
  /** What to read; everything when undefined. */
  readonly fields: readonly ReadField[] | undefined;
  /** Reads null for a body of more than LARGE_BODY_BYTES, so that the rows take little memory however many they are. */
  readonly leavesOutLargeBodies?: boolean;
}

/** The filters that are bounds of a sort key. */
const RANGES: Readonly<
  Partial<Record<SortKey[0], { readonly from: keyof DateBounds; readonly before?: keyof DateBounds }>>
> = {
  pubDate: { from: 'publishedFrom', before: 'publishedBefore' },
  modified: { from: 'modifiedFrom' },
};

type DateBounds = Pick<PostFilter, 'publishedFrom' | 'publishedBefore' | 'modifiedFrom'>;

/**
 * The same stretch of a list, said without what is said twice: of two bounds on one side, a database starts at the first
 * and looks at all posts up to the second, however many.
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
 * The part of the sort key that tells the posts of a list apart. All posts of one title have that in common, and a
 * database that is told so looks at all of them.
 */
export function distinctiveKey({ ordering, filter, after, until }: PageRequest): readonly SortKey[number][] {
  const { key } = orderingKey(ordering);
  const isSame = (values: SortKeyValues | undefined): boolean =>
    !values?.length || values[0] === filter.title;
  return key[0] === 'title' && filter.title !== undefined && isSame(after) && isSame(until) ? ['id'] : key;
}

/** Whether an index has what the filter lets through in the list's order, so that only the posts of a page are looked at. */
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
