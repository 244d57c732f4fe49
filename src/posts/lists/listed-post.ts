import type { SortKeyValues } from './post-ordering.js';

/** What a page needs of a post besides its text: also the value that the list is sorted by, unless it is the id. */
export type PostKey = readonly [
  id: number,
  version: number,
  modified: string,
  bodyBytes: number,
  sortedBy?: string,
];

/** A post of a list, as the database has written it. */
export interface ListedPost {
  /** See {@link keyOf}. */
  readonly key: string;
  /** The requested fields as JSON; empty when the body is too large to be read together with the others. */
  readonly json: string;
}

export interface PostKeyValues {
  readonly id: number;
  readonly version: number;
  readonly modified: string;
  /** 0 where the body was not requested. */
  readonly bodyBytes: number;
  /** The position in the list. */
  readonly sortKey: SortKeyValues;
}

/** Reads the key of a post. */
export function keyOf({ key }: ListedPost): PostKeyValues {
  const [id, version, modified, bodyBytes, sortedBy] = JSON.parse(key) as PostKey;
  return { id, version, modified, bodyBytes, sortKey: sortedBy === undefined ? [id] : [sortedBy, id] };
}
