import { DEFAULT_LIMIT } from '../../http/request/validation.js';
import { type PageCursor, readCursor } from '../../http/request/page-cursor.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import type { ListPostsQuery } from '../dto/list-posts.query.js';
import { parsePubDate } from '../pub-date.js';
import { FILTERS, type FilterValues } from './list-fields.js';
import { DEFAULT_ORDERING, isSortKey } from './post-ordering.js';
import type { PostFilter, PostSelection } from './post-selection.js';

/** Converts a list's query to a selection. @throws InvalidRequest when the cursor belongs to another list, or with an offset */
export function toSelection(query: ListPostsQuery): PostSelection {
  const { ordering = DEFAULT_ORDERING, cursor } = query;
  if (cursor !== undefined && query.offset !== undefined) {
    const detail = 'It cannot be combined with cursor.';
    throw new InvalidRequest([{ detail, code: 'mutually_exclusive', parameter: 'offset' }]);
  }
  const isKey = (key: PageCursor['key']): boolean => isSortKey(key, ordering);
  return {
    ordering,
    filter: toFilter(query),
    limit: query.limit ?? DEFAULT_LIMIT,
    offset: query.offset ?? 0,
    cursor: cursor === undefined ? cursor : readCursor(cursor, cursorScope(query), isKey),
    fields: query.fields,
  };
}

/** Identifies the list that a cursor belongs to: its ordering, and its filters in their stored form. */
export function cursorScope(query: ListPostsQuery): string {
  return JSON.stringify([query.ordering ?? DEFAULT_ORDERING, toFilter(query)]);
}

/** The filters of a list in their stored form. */
export function toFilter({ search, ...sent }: FilterValues & { readonly search?: string }): PostFilter {
  const set = FILTERS.filter(({ name }) => sent[name] !== undefined);
  const stored = set.map(({ name, isDate }) => {
    const value = sent[name];
    return [name, isDate && typeof value === 'string' ? parsePubDate(value) : value] as const;
  });
  return { ...Object.fromEntries(stored), search };
}
