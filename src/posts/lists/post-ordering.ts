import { isStorable } from '../../http/request/validation.js';
import type { Post } from '../post.entity.js';
import { SORT_FIELDS, type SortField } from './list-fields.js';

/** The orderings of a list; `-` means descending. */
export type Ordering = SortField | `-${SortField}`;
/** The orderings of the API. */
export const ORDERINGS = (Object.keys(SORT_FIELDS) as SortField[])
  .filter((field) => field !== 'title_key')
  .flatMap((field): Ordering[] => [field, `-${field}`]);

export const DEFAULT_ORDERING: Ordering = '-pub_date';

/** The site sorts titles as people do, and the API by code point. */
export function orderingInSite(ordering = DEFAULT_ORDERING): Ordering {
  return ordering.replace('title', 'title_key') as Ordering;
}

/** The sort key of an ordering, as properties of a post. It ends with the id, so that no two posts are equal. */
export type SortKey = readonly ['id'] | readonly [(typeof SORT_FIELDS)[SortField], 'id'];

/** The values of a {@link SortKey}; an empty array stands for the end of the list. */
export type SortKeyValues = readonly (string | number)[];

export function isDescending(ordering: Ordering): boolean {
  return ordering.startsWith('-');
}

export function sortKey(ordering: Ordering): SortKey {
  const property = SORT_FIELDS[ordering.replace('-', '') as SortField];
  return property === 'id' ? ['id'] : [property, 'id'];
}

/** The sort key of a post in this ordering; the properties of the key must have been read. */
export function sortKeyOf(post: Partial<Omit<Post, 'body'>>, ordering: Ordering): SortKeyValues {
  return sortKey(ordering).map((property) => post[property]!);
}

/** Whether the values can be a key of this ordering. PostgreSQL rejects a text that it cannot store. */
export function isSortKey(values: SortKeyValues, ordering: Ordering): boolean {
  const [id, sorted] = [values.at(-1), values.at(-2) ?? ''];
  const isLongEnough = values.length === sortKey(ordering).length;
  return isLongEnough && typeof id === 'number' && typeof sorted === 'string' && isStorable(sorted);
}
