import type { PageCursor } from '../../http/response/page-links.js';
import type { PostField } from '../dto/post.dto.js';
import type { Ordering } from './post-ordering.js';

/** What a list can read of a post: its fields, and the time of its last change. */
export type ReadField = PostField | 'modified';

/** Which posts, whatever their order. */
export interface PostFilter {
  /** Stored form of a date: posts of then or later. */
  readonly publishedFrom?: string | undefined;
  /** Stored form of a date: posts of before then. */
  readonly publishedBefore?: string | undefined;
  /** Stored form of a date: posts that were changed then or later. */
  readonly modifiedFrom?: string | undefined;
  readonly title?: string | undefined;
  readonly ids?: readonly number[] | undefined;
  /** What a person typed; see search/search-terms.ts. */
  readonly search?: string | undefined;
}

/** Whether all posts are let through. */
export function isEmpty(filter: PostFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** A page of a list, or where it starts: after a cursor, or after a number of posts. */
export interface PostSelection {
  readonly filter: PostFilter;
  readonly ordering: Ordering;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: PageCursor | undefined;
  /** What is to be read; everything when undefined. */
  readonly fields: readonly ReadField[] | undefined;
}
