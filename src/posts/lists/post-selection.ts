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

/** The part of a section that is after one key and before the other. */
export function narrowed(page: PageRequest, after?: SortKeyValues, until?: SortKeyValues): PageRequest {
  const sign = goesDown(page) ? -1 : 1;
  const later = (a: SortKeyValues, b: SortKeyValues): boolean => sign * compare(a, b) > 0;
  const choose = (a: SortKeyValues = [], b: SortKeyValues = [], isBetter: typeof later): SortKeyValues =>
    a.length > 0 && (b.length === 0 || isBetter(a, b)) ? a : b;
  return {
    ...page,
    after: choose(page.after, after, later),
    until: choose(page.until, until, (a, b) => later(b, a)),
  };
}

function compare(a: SortKeyValues, b: SortKeyValues): number {
  const index = a.findIndex((value, place) => value !== b[place]);
  if (index === -1) return 0;
  return a[index]! < b[index]! ? -1 : 1;
}

/** The filters of a list that are set, besides the search. */
export function filtersOf(filter: PostFilter): readonly NamedFilter[] {
  return FILTERS.filter(({ name }) => filter[name] !== undefined);
}

/**
 * The same section, with the range of its sort field as a part of its bounds. With two bounds on one side, a database
 * starts at the first one and scans all posts up to the second one.
 */
export function withRangeAsBounds(page: PageRequest): PageRequest {
  const [first] = sortKey(page.ordering);
  const ranges = filtersOf(page.filter).filter(
    ({ property, operator }) => property === first && (operator === '>=' || operator === '<'),
  );
  return ranges.reduce<PageRequest>(({ filter, ...section }, { name, operator }) => {
    // No id is 0, so the key is between the posts before this value and those with it.
    const bound = [filter[name] as string, 0];
    const rest = { ...section, filter: { ...filter, [name]: undefined } };
    const isStart = (operator === '>=') !== goesDown(page);
    return isStart ? narrowed(rest, bound) : narrowed(rest, undefined, bound);
  }, page);
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
