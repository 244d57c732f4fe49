import { isStorable } from '../../common/validation.js';
import { SORT_FIELDS, type SortField } from './list-fields.js';

/** The orderings of a list; `-` means descending. */
export type Ordering = SortField | `-${SortField}`;
export const ORDERINGS = (Object.keys(SORT_FIELDS) as SortField[]).flatMap((field): Ordering[] => [
  field,
  `-${field}`,
]);

export const DEFAULT_ORDERING: Ordering = '-pub_date';

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

/** Whether the values can be a key of this ordering. PostgreSQL rejects a text that it cannot store. */
export function isSortKey(values: SortKeyValues, ordering: Ordering): boolean {
  const [id, sorted] = [values.at(-1), values.at(-2) ?? ''];
  const isLongEnough = values.length === sortKey(ordering).length;
  return isLongEnough && typeof id === 'number' && typeof sorted === 'string' && isStorable(sorted);
}
