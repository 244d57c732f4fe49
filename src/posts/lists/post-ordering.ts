import { isStorable } from '../../http/request/validation.js';
import type { Post } from '../post.entity.js';
import { LIST_FIELDS, SORT_FIELDS, type SortField } from './list-fields.js';

/** The orderings of a list; `-` means descending. */
export type Ordering = SortField | `-${SortField}`;
export const ORDERINGS: readonly Ordering[] = SORT_FIELDS.flatMap((field) => [field, `-${field}`] as const);

export const DEFAULT_ORDERING: Ordering = '-pub_date';

type SortProperty = (typeof LIST_FIELDS)[SortField]['property'];

/** The sort key of an ordering, as properties of a post. It ends with the id, so that no two posts are equal. */
export type SortKey = readonly ['id'] | readonly [SortProperty, 'id'];

/** The sort key and the direction of an ordering. */
export interface OrderingKey {
  readonly key: SortKey;
  readonly descending: boolean;
}

const KEYS = Object.fromEntries(
  SORT_FIELDS.flatMap((field) => {
    const { property } = LIST_FIELDS[field];
    const key: SortKey = property === 'id' ? ['id'] : [property, 'id'];
    return [
      [field, { key, descending: false }],
      [`-${field}`, { key, descending: true }],
    ];
  }),
) as Readonly<Record<Ordering, OrderingKey>>;

export function orderingKey(ordering: Ordering): OrderingKey {
  return KEYS[ordering];
}

/** The values of a {@link SortKey}; an empty array stands for the end of the list. */
export type SortKeyValues = readonly (string | number)[];

/** The sort key of a post in this ordering; the properties of the key must have been read. */
export function sortKeyOf(post: Partial<Post>, ordering: Ordering): SortKeyValues {
  return orderingKey(ordering).key.map((property) => post[property]!);
}

/** Whether the values can be a key of this ordering. */
export function isSortKey(values: SortKeyValues, ordering: Ordering): boolean {
  if (values.length === 0) return true;
  const { key } = orderingKey(ordering);
  return values.length === key.length && key.every((property, index) => canBe(property, values[index]!));
}

/** A key just before this one in the direction of the walk, so that a walk after it includes the post of this key. */
export function including(values: SortKeyValues, ordering: Ordering, backwards: boolean): SortKeyValues {
  if (values.length === 0) return values;
  const goesDown = orderingKey(ordering).descending !== backwards;
  return [...values.slice(0, -1), Number(values.at(-1)) + (goesDown ? 1 : -1)];
}

function canBe(property: SortKey[number], value: string | number): boolean {
  if (typeof value === 'number') return property === 'id';
  // PostgreSQL rejects a text that it cannot store, even in a comparison.
  return property !== 'id' && isStorable(value);
}
