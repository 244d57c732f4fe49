import type { InputCheck } from '../../http/request/operation.decorator.js';
import { DEFAULT_LIMIT } from '../../http/request/validation.js';
import { decodePageCursor, type PageCursor } from '../../http/request/page-cursor.js';
import type { InputFault } from '../../problem-details/problem.js';
import type { ListPostsQuery } from '../dto/list-posts.query.js';
import { FILTERS, type SentFilters } from './list-fields.js';
import { DEFAULT_ORDERING, isSortKey } from './post-ordering.js';
import type { PostFilter, PostSelection } from './post-selection.js';

/** Converts a list's query, in which {@link checkCursor} found no fault, to a selection. */
export function toSelection(query: ListPostsQuery): PostSelection {
  return {
    ordering: query.ordering ?? DEFAULT_ORDERING,
    filter: toFilter(query),
    limit: query.limit ?? DEFAULT_LIMIT,
    offset: query.offset ?? 0,
    cursor: readCursor(query),
    fields: query.fields,
  };
}

/** A cursor excludes `offset`, and is valid only for the list that it was made for. */
export const checkCursor: InputCheck<{ query: ListPostsQuery }> = ({ query }, _fullPath, found) => {
  if (query.cursor === undefined) return [];
  const faults: InputFault[] = [];
  if (
    query.offset !== undefined &&
    !found.some((fault) => 'parameter' in fault && fault.parameter === 'offset')
  ) {
    faults.push({
      detail: 'It cannot be combined with cursor.',
      code: 'mutually_exclusive',
      parameter: 'offset',
    });
  }
  // With a faulty ordering or filter, it is unknown which list is meant.
  if (found.length === 0 && !readCursor(query)) {
    const detail = 'It must come from a Link of a list with the same ordering and filters, unaltered.';
    faults.push({ detail, code: 'bad_cursor', parameter: 'cursor' });
  }
  return faults;
};

/** Identifies the list that a cursor belongs to: its ordering, and its filters in their stored form. */
export function cursorScope(query: ListPostsQuery): string {
  return JSON.stringify([query.ordering ?? DEFAULT_ORDERING, toFilter(query)]);
}

/** The filters of a list in their stored form. */
export function toFilter({ search, ...sent }: SentFilters & { readonly search?: string }): PostFilter {
  const set = FILTERS.filter(({ name }) => sent[name] !== undefined);
  const stored = set.map(({ name, toStored }) => [name, toStored(sent[name] as never)] as const);
  return { ...Object.fromEntries(stored), search };
}

function readCursor(query: ListPostsQuery): PageCursor | undefined {
  if (query.cursor === undefined) return undefined;
  const cursor = decodePageCursor(query.cursor, cursorScope(query));
  return cursor && isSortKey(cursor.key, query.ordering ?? DEFAULT_ORDERING) ? cursor : undefined;
}
