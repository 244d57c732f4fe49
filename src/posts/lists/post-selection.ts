import type { PageCursor } from '../../common/page-cursor.js';
import { FILTERS, type FilterValues, type NamedFilter, type PostField } from './list-fields.js';
import { isDescending, type Ordering, sortKey, type SortKeyValues } from './post-ordering.js';

/** Selects posts, whatever their order. The values are in their stored form. */
export interface PostFilter extends Readonly<FilterValues> {
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
  readonly fields: readonly PostField[] | undefined;
  /** Identifies the ordering and the filters, for cursors and feeds. */
  readonly scope: string;
}

/** A contiguous section of an ordered list. */
export interface PageRequest {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
  /** Walks against the ordering and returns the rows in reverse. */
  readonly backwards?: boolean;
  /** The walk starts after this sort key; undefined or empty means that it starts at the end of the list. */
  readonly after?: SortKeyValues | undefined;
  /** The walk stops before this sort key; undefined or empty means that it goes on to the other end of the list. */
  readonly until?: SortKeyValues | undefined;
  readonly offset?: number;
  /** The maximum number of rows. */
  readonly rows: number;
  /** The fields to read; undefined means all. */
  readonly fields?: readonly PostField[] | undefined;
}

/** Whether a walk goes from high keys to low ones. */
export function goesDown({ ordering, backwards = false }: PageRequest): boolean {
  return isDescending(ordering) !== backwards;
}

/** The filters of a list that are set, besides the search. */
export function filtersOf(filter: PostFilter): readonly NamedFilter[] {
  return FILTERS.filter(({ name }) => filter[name] !== undefined);
}

/**
 * Whether the database reads few posts more than those of a page: they have given ids, or one index has the matching posts in
 * the order of the list.
 */
export function isIndexed({ filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>): boolean {
  if (filter.id) return true;
  const [first] = sortKey(ordering);
  const set = filtersOf(filter);
  const equal = set.find(({ operator }) => operator === '=');
  if (!equal) return set.every(({ property }) => property === first);
  return set.length === 1 && (first === 'id' || first === equal.property);
}
