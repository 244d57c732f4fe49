import type { KeysetRequest } from '../history/keyset-page.js';
import type { InputCheck } from '../http/request/input-reader.js';
import { CursorParameter, DEFAULT_LIMIT, LimitParameter } from '../http/request/validation.js';
import { decodePageCursor, type PageCursor } from '../http/response/page-links.js';

/** The query of a list that is walked page by page. */
export class KeysetQuery {
  @LimitParameter('How many a page has.')
  limit?: number;

  @CursorParameter('Opaque, from a `Link`; holds for the same list and filters only.')
  cursor?: string;
}

/** A cursor must come from the same list. */
export const checkKeysetCursor: InputCheck<{ query: KeysetQuery }> = ({ query }, { fullPath }, found) => {
  if (query.cursor === undefined || found.length > 0 || readCursor(query, fullPath)) return [];
  const detail = 'It must come from a Link of the same list with the same filters, unaltered.';
  return [{ detail, code: 'bad_cursor', parameter: 'cursor' }];
};

/** @param fullPath of the request: the list */
export function toKeysetRequest(query: KeysetQuery, fullPath: string): KeysetRequest {
  return { limit: query.limit ?? DEFAULT_LIMIT, cursor: readCursor(query, fullPath) };
}

/** Names the list that a cursor belongs to, by its path and its filters. */
export function keysetScope(query: KeysetQuery, fullPath: string): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== 'limit' && name !== 'cursor' && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fullPath, filters]);
}

function readCursor(query: KeysetQuery, fullPath: string): PageCursor | undefined {
  if (query.cursor === undefined) return undefined;
  const cursor = decodePageCursor(query.cursor, keysetScope(query, fullPath));
  return cursor?.key.length === 1 && typeof cursor.key[0] === 'number' ? cursor : undefined;
}
