import type { PageCursor } from '../../http/response/page-links.js';
import type { Post } from '../post.entity.js';
import {
  type FilterName,
  FILTERS,
  LIST_FIELDS,
  type NamedFilter,
  type ReadField,
  SORT_FIELDS,
  type StoredFilters,
} from './list-fields.js';
import { type Ordering, orderingKey, type SortKey, type SortKeyValues } from './post-ordering.js';

/** Selects posts, whatever their order. */
export interface PostFilter extends StoredFilters {
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

/** The filters of a list that are set, besides the search. */
export function filtersOf(filter: PostFilter): readonly NamedFilter[] {
  return FILTERS.filter(({ name }) => filter[name] !== undefined);
}

/** The name of the filter with this operator on a property. */
function filterOn(property: keyof Post, operator: NamedFilter['operator']): FilterName | undefined {
  return FILTERS.find((each) => each.property === property && each.operator === operator)?.name;
}

/**
 * The same section without redundant bounds. With two bounds on one side, a database starts at the first one and scans
 * all posts up to the second one.
 */
export function withoutIdleBounds(page: PageRequest): PageRequest {
  const { key, descending } = orderingKey(page.ordering);
  const [fromName, beforeName] = [filterOn(key[0], '>='), filterOn(key[0], '<')];
  const goesDown = descending !== page.backwards;
  let from = fromName && page.filter[fromName];
  let before = beforeName && page.filter[beforeName];
  let [lower, upper] = goesDown ? [page.until, page.after] : [page.after, page.until];
  if (from !== undefined && lower?.length) {
    if (lower[0]! >= from) from = undefined;
    else lower = undefined;
  }
  if (before !== undefined && upper?.length) {
    if (upper[0]! < before) before = undefined;
    else upper = undefined;
  }
  const [after, until] = goesDown ? [upper, lower] : [lower, upper];
  const filter = {
    ...page.filter,
    ...(fromName && { [fromName]: from }),
    ...(beforeName && { [beforeName]: before }),
  };
  return { ...page, filter, after, until };
}

/**
 * The part of the sort key that distinguishes the posts of a list. Posts filtered by title share their title, and a
 * database that compares it scans all of them.
 */
export function distinctiveKey({ ordering, filter, after, until }: PageRequest): readonly SortKey[number][] {
  const { key } = orderingKey(ordering);
  const name = filterOn(key[0], '=');
  const shared = name && filter[name];
  const isShared = (values: SortKeyValues | undefined): boolean => !values?.length || values[0] === shared;
  return shared !== undefined && isShared(after) && isShared(until) ? ['id'] : key;
}

/** Whether one index has the matching posts in the order of the list, so that only the posts of a page are read. */
export function isIndexed({ filter, ordering }: Pick<PostSelection, 'filter' | 'ordering'>): boolean {
  const [first] = orderingKey(ordering).key;
  const set = filtersOf(filter).filter(({ operator }) => operator !== 'in');
  const equal = set.filter(({ operator }) => operator === '=');
  if (equal.length === 0) return set.every(({ property }) => property === first);
  return set.length === 1 && (first === 'id' || first === equal[0]!.property);
}

/** Selections that contain all posts of a filter and need one index each; those that are likely to be small first. */
export function narrowings(filter: PostFilter): Pick<PostSelection, 'filter' | 'ordering'>[] {
  const set = filtersOf(filter);
  const only = (filters: readonly NamedFilter[]): PostFilter =>
    Object.fromEntries(filters.map(({ name }) => [name, filter[name]]));
  const equal = set.filter(({ operator }) => operator === '=');
  const ranges = SORT_FIELDS.toReversed().map((ordering) => ({
    ordering,
    filter: only(
      set.filter(
        ({ property, operator }) =>
          property === LIST_FIELDS[ordering].property && (operator === '>=' || operator === '<'),
      ),
    ),
  }));
  return [
    ...equal.map((each) => ({ filter: only([each]), ordering: 'id' as const })),
    ...ranges.filter((range) => !isEmpty(range.filter)),
    { filter: {}, ordering: 'id' as const },
  ];
}
