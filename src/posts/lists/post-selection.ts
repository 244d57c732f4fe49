import type { KeysetRequest, KeysetWalk } from '../../paging/index.js';
import type { Separator } from '../posts.sql.js';
import {
  FILTERS,
  type FilterValues,
  type FinderValues,
  type ListField,
  type NamedFilter,
  SORT_FIELDS,
  type SortField,
} from './list-fields.js';

/** The orderings of a list; `-` means descending. */
export type Ordering = SortField | `-${SortField}`;
export const ORDERINGS = (Object.keys(SORT_FIELDS) as SortField[]).flatMap((field): Ordering[] => [
  field,
  `-${field}`,
]);

export const DEFAULT_ORDERING: Ordering = '-pub_date';

/** The sort key of an ordering, as properties of a post. It ends with the id, so that no two posts are equal. */
type SortKey = readonly ['id'] | readonly [(typeof SORT_FIELDS)[SortField], 'id'];

/** The values of a {@link SortKey}; an empty array stands for the end of the list. */
export type SortKeyValues = readonly (string | number)[];

export function sortKey(ordering: Ordering): SortKey {
  const property = SORT_FIELDS[ordering.replace('-', '') as SortField];
  return property === 'id' ? ['id'] : [property, 'id'];
}

/** Whether the values can be a key of this ordering. PostgreSQL rejects a text that it cannot store. */
export function isSortKey(values: SortKeyValues, ordering: Ordering): boolean {
  const [id, sorted] = [values.at(-1), values.at(-2) ?? ''];
  const isLongEnough = values.length === sortKey(ordering).length;
  return isLongEnough && typeof id === 'number' && typeof sorted === 'string' && isStorable(sorted);
}

/** Whether both databases store the text unchanged. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Selects posts, whatever their order. The values are in their stored form. */
export interface PostFilter extends Readonly<FilterValues>, Readonly<FinderValues> {}

/** Whether the filter matches all posts. */
export function isEmpty(filter: PostFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** Posts in an order. */
interface OrderedPosts {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
}

/** A page of a list, which starts after a cursor or after a number of posts. */
export interface PostSelection extends OrderedPosts, Required<KeysetRequest> {
  /** The fields to read; undefined means all. */
  readonly fields: readonly ListField[] | undefined;
  /** Identifies the ordering and the filters, for cursors and feeds. */
  readonly scope: string;
  /** Goes between two posts. */
  readonly separator: Separator;
}

/** A contiguous section of an ordered list. */
export interface PageRequest
  extends OrderedPosts, Partial<Pick<PostSelection, 'fields' | 'separator'>>, Partial<KeysetWalk> {
  /** The walk stops before this sort key; undefined or empty means that it goes on to the other end of the list. */
  readonly until?: SortKeyValues | undefined;
  readonly rows: number;
  /** How many of them are written; by default all. */
  readonly shownRows?: number;
  /**
   * Whether the database walks along an index in the order of the list until it has the page. Otherwise it reads all posts
   * that match, and sorts their keys. By default it chooses.
   */
  readonly inIndexOrder?: boolean | undefined;
  /** The condition is checked only for the next so many posts of the list; by default for all. */
  readonly checkedRows?: number;
}

/** The most memory for the bodies of a page that are read together. */
export const MAX_BYTES_TOGETHER = 4 * 1_024 * 1_024;

/** A post with a larger body is read alone, and written in pieces. */
export const MAX_BYTES_AT_ONCE = 256 * 1_024;

/** The size up to which the bodies of a page are read together with the posts. */
export function maxBodyBytes({ rows }: Pick<PageRequest, 'rows'>): number {
  return Math.min(Math.floor(MAX_BYTES_TOGETHER / rows), MAX_BYTES_AT_ONCE);
}

/** Whether a walk goes from high keys to low ones. */
export function goesDown({ ordering, backwards = false }: PageRequest): boolean {
  return ordering.startsWith('-') !== backwards;
}

/** The filters of a list that are set, besides those with a finder. */
export function filtersOf(filter: PostFilter): readonly NamedFilter[] {
  return FILTERS.filter(({ name }) => filter[name] !== undefined);
}

/**
 * Whether an index has the selected posts, apart from what a finder selects, in the order of the list: then a page is
 * read from one place of it.
 */
export function isInIndexOrder({ filter, ordering }: OrderedPosts): boolean {
  if (filter.id) return false;
  const [first] = sortKey(ordering);
  const set = filtersOf(filter);
  const equal = set.find(({ operator }) => operator === '=');
  if (!equal) return set.every(({ property }) => property === first);
  return set.length === 1 && (first === 'id' || first === equal.property);
}
