import { type InputFault, InvalidRequest } from '../../problem-details/index.js';
import { DEFAULT_LIMIT } from '../../input/index.js';
import { type PageCursor, readCursor } from '../../paging/index.js';
import type { ListPostsQuery } from '../dto/list-posts.query.js';
import { parsePubDate } from '../pub-date.js';
import { FILTERS, type FilterValues } from './list-fields.js';
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
  const isKey = (key: PageCursor['key']): boolean => isSortKey(key, ordering);
  return {
    ordering,
    filter,
    scope,
    limit: query.limit ?? DEFAULT_LIMIT,
    offset: query.offset ?? 0,
    cursor: cursor === undefined ? cursor : readCursor(cursor, scope, isKey),
    fields: query.fields,
    separator,
  };
}

/** The filters of a list in their stored form. */
export function toFilter(sent: FilterValues & { readonly search?: string }): PostFilter {
  const filter: Record<string, unknown> = {};
  for (const { name, isDate } of FILTERS) {
    const value = sent[name];
    if (value !== undefined) filter[name] = isDate && typeof value === 'string' ? parsePubDate(value) : value;
  }
  return { ...filter, search: sent.search };
}

/** A position in the changes, as the events of a stream show it. */
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Converts the query of a stream of changes.
 *
 * @param lastEventId the field `Last-Event-ID`, which wins
 * @throws InvalidRequest with other parameters than `modified_after` and `fields`, or a malformed position
 */
export function toEventsRequest(
  { modified_after: modifiedAfter, fields, ...others }: ListPostsQuery,
  lastEventId: string | undefined,
): { readonly since: string | undefined; readonly fields: ListPostsQuery['fields'] } {
  const faults: InputFault[] = [];
  for (const [parameter, value] of Object.entries(others)) {
    const detail = 'With text/event-stream, the parameters are modified_after and fields.';
    if (value !== undefined) faults.push({ detail, code: 'unknown_parameter', parameter });
  }
  const position = lastEventId === undefined ? undefined : toPosition(lastEventId);
  if (lastEventId !== undefined && position === undefined)
    faults.push({
      detail: 'The field must be the id of an event.',
      code: 'malformed',
      header: 'Last-Event-ID',
    });
  if (faults.length > 0) throw new InvalidRequest(faults);
  const after = modifiedAfter === undefined ? undefined : parsePubDate(modifiedAfter);
  return { since: position ?? after, fields };
}

function toPosition(id: string): string | undefined {
  return POSITION.test(id) ? parsePubDate(id) : undefined;
}
