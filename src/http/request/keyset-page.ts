import { decodePageCursor, type PageCursor, type PageNeighbours } from '../response/page-links.js';
import type { InputCheck } from './input-reader.js';
import { CursorParameter, DEFAULT_LIMIT, LimitParameter } from './validation.js';

/** A page of a list in descending order of a number, with the cursors of its neighbours. */
export interface KeysetPage<Row> extends PageNeighbours {
  readonly rows: readonly Row[];
}

/** Where a read of a list starts, its direction and its length. */
export interface KeysetWalk {
  /** Reads in ascending order, so the rows come in reverse. */
  readonly backwards: boolean;
  /** The number after which the read starts; without it, the read starts at the list's end. */
  readonly after: number | undefined;
  readonly rows: number;
}

export interface KeysetRequest {
  readonly limit: number;
  readonly cursor: PageCursor | undefined;
}

/**
 * Reads a page of such a list and determines where its neighbours start.
 *
 * @param read returns the rows in the order of the read
 */
export async function readKeysetPage<Row>(
  { limit, cursor }: KeysetRequest,
  read: (walk: KeysetWalk) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): Promise<KeysetPage<Row>> {
  const backwards = cursor?.direction === 'prev';
  const after = cursor?.key[0] as number | undefined;
  // One row more than the page shows whether more rows follow in this direction.
  const rows = await read({ backwards, after, rows: limit + 1 });
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const [near, far] = [rows[0], rows.at(-1)];
  const onward = hasMore ? far : undefined;
  const back = cursor && near && (await hasNeighbour(keyOf(near), !backwards, read)) ? near : undefined;
  const cursorTo = (direction: PageCursor['direction'], row: Row | undefined): PageCursor | undefined =>
    row && { direction, key: [keyOf(row)] };
  return {
    rows: backwards ? rows.toReversed() : rows,
    next: cursorTo('next', backwards ? back : onward),
    previous: cursorTo('prev', backwards ? onward : back),
  };
}

async function hasNeighbour<Row>(
  after: number,
  backwards: boolean,
  read: (walk: KeysetWalk) => Promise<Row[]>,
): Promise<boolean> {
  return (await read({ backwards, after, rows: 1 })).length > 0;
}

/** The query of a list that is read page by page. */
export class KeysetQuery {
  @LimitParameter('The maximum number of items on a page.')
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

/** @param fullPath the path of the request, which identifies the list */
export function toKeysetRequest(query: KeysetQuery, fullPath: string): KeysetRequest {
  return { limit: query.limit ?? DEFAULT_LIMIT, cursor: readCursor(query, fullPath) };
}

/** Identifies the list that a cursor belongs to by its path and its filters. */
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
