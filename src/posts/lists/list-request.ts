import { InvalidRequest } from '../../problem-details/index.js';
import { toKeysetRequest } from '../../paging/index.js';
import type { ListPostsQuery } from '../dto/list-posts.query.js';
import { parsePubDate } from '../pub-date.js';
import { FILTERS, type FilterValues, FINDERS, type FinderValues } from './list-fields.js';
import type { Separator } from '../posts.sql.js';
import { DEFAULT_ORDERING, isSortKey, type PostFilter, type PostSelection } from './post-selection.js';

/** Converts a list's query to a selection. @throws InvalidRequest when the cursor belongs to another list, or with an offset */
export function toSelection(query: ListPostsQuery, separator: Separator = ','): PostSelection {
  const { ordering = DEFAULT_ORDERING, cursor } = query;
  if (cursor !== undefined && query.offset !== undefined) {
    const detail = 'It cannot be combined with cursor.';
    throw new InvalidRequest([{ detail, code: 'mutually_exclusive', parameter: 'offset' }]);
  }
  const filter = toFilter(query);
  const scope = JSON.stringify([ordering, filter]);
  return {
    ordering,
    filter,
    scope,
    ...toKeysetRequest(query, scope, (key) => isSortKey(key, ordering)),
    offset: query.offset ?? 0,
    fields: query.fields,
    separator,
  };
}

/** The filters of a list in their stored form. */
export function toFilter(sent: FilterValues & FinderValues): PostFilter {
  const filter: Record<string, unknown> = {};
  for (const { name, isDate } of FILTERS) {
    const value = sent[name];
    if (value !== undefined) filter[name] = isDate && typeof value === 'string' ? parsePubDate(value) : value;
  }
  for (const { name } of FINDERS) filter[name] = sent[name];
  return filter;
}
