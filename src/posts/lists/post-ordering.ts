import { isStorable } from '../../http/request/validation.js';
import type { Post } from '../post.entity.js';

/** The orderings of a list; `-` means descending. */
export const ORDERINGS = [
  'pub_date',
  '-pub_date',
  'id',
  '-id',
  'title',
  '-title',
  'modified',
  '-modified',
] as const;
export type Ordering = (typeof ORDERINGS)[number];

export const DEFAULT_ORDERING: Ordering = '-pub_date';

/** The sort key of an ordering, as properties of a post. It ends with the id, so that no two posts are equal. */
export type SortKey = readonly ['id'] | readonly ['pubDate' | 'title' | 'modified', 'id'];

/** The sort key and the direction of an ordering. */
export interface OrderingKey {
  readonly key: SortKey;
  readonly descending: boolean;
}

const KEYS: Readonly<Record<Ordering, OrderingKey>> = {
  pub_date: { key: ['pubDate', 'id'], descending: false },
  '-pub_date': { key: ['pubDate', 'id'], descending: true },
  id: { key: ['id'], descending: false },
  '-id': { key: ['id'], descending: true },
  title: { key: ['title', 'id'], descending: false },
  '-title': { key: ['title', 'id'], descending: true },
  modified: { key: ['modified', 'id'], descending: false },
  '-modified': { key: ['modified', 'id'], descending: true },
};

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
