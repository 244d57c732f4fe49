import type { StoredState } from '../posts-state.repository.js';
import type { SortKeyValues } from './post-selection.js';

/** A post of a list, as the database has written it. */
export interface ListedPost {
  readonly id: number;
  readonly version: number;
  readonly modified: string;
  /** 0 where the body was not requested. */
  readonly bodyBytes: number;
  /** The position in the list. */
  readonly sortKey: SortKeyValues;
  /** The requested fields as JSON; empty when the body is too large to be read together with the others. */
  readonly json: string;
}

/** A section of a list, and the state of the collection at that moment. */
export interface ListedPosts {
  /** In the order in which they were read. */
  readonly posts: ListedPost[];
  readonly state: StoredState;
}
