import { decodePageCursor, type PageCursor, type PageNeighbours } from './page-cursor.js';
import type { InputCheck } from './operation.decorator.js';
import { CursorParameter, DEFAULT_LIMIT, LimitParameter } from './validation.js';

/** A page of a list in descending order of its keys, with the cursors of its neighbours. */
export interface KeysetPage<Row> extends PageNeighbours {
  readonly rows: readonly Row[];
}

/** Where a read of a list starts, its direction and its length. */
export interface KeysetWalk<Key = number> {
  /** Reads in ascending order, so the rows come in reverse. */
  readonly backwards: boolean;
  /** The key after which the read starts; without it, the read starts at the list's end. */
  readonly after: Key | undefined;
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
export async function readKeysetPage<Row, Key extends number | PageCursor['key'] = number>(
  { limit, cursor }: KeysetRequest,
  read: (walk: KeysetWalk<Key>) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): Promise<KeysetPage<Row>> {
  const backwards = cursor?.direction === 'prev';
  // Without a key, the read starts at the end of the list.
  const after = cursor?.key.length
    ? ((cursor.key.length === 1 ? cursor.key[0] : cursor.key) as Key)
    : undefined;
  // One row more than the page shows whether more rows follow in this direction.
  const rows = await read({ backwards, after, rows: limit + 1 });
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const [near, far] = [rows[0], rows.at(-1)];
  const onward = hasMore ? far : undefined;
  const back = cursor && near && (await hasNeighbour(keyOf(near), !backwards, read)) ? near : undefined;
  const cursorTo = (direction: PageCursor['direction'], row: Row | undefined): PageCursor | undefined =>
    row && { direction, key: [keyOf(row)].flat() };
  return {
    rows: backwards ? rows.toReversed() : rows,
    next: cursorTo('next', backwards ? back : onward),
    previous: cursorTo('prev', backwards ? onward : back),
  };
}

async function hasNeighbour<Row, Key>(
  after: Key,
  backwards: boolean,
  read: (walk: KeysetWalk<Key>) => Promise<Row[]>,
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

/** Whether the values of a cursor can be a key of the list. */
type IsKey = (key: PageCursor['key']) => boolean;

const isNumber: IsKey = ([key, ...others]) => typeof key === 'number' && others.length === 0;

/** A cursor must come from the same list. */
export function cursorCheck(isKey: IsKey): InputCheck<{ query: KeysetQuery }> {
  return ({ query }, fullPath, found) => {
    if (query.cursor === undefined || found.length > 0 || readCursor(query, fullPath, isKey)) return [];
    const detail = 'It must come from a Link of the same list with the same filters, unaltered.';
    return [{ detail, code: 'bad_cursor', parameter: 'cursor' }];
  };
}

export const checkKeysetCursor = cursorCheck(isNumber);

/** @param fullPath the path of the request, which identifies the list */
export function toKeysetRequest(query: KeysetQuery, fullPath: string, isKey = isNumber): KeysetRequest {
  return { limit: query.limit ?? DEFAULT_LIMIT, cursor: readCursor(query, fullPath, isKey) };
}

/** Identifies the list that a cursor belongs to by its path and its filters. */
export function keysetScope(query: KeysetQuery, fullPath: string): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== 'limit' && name !== 'cursor' && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fullPath, filters]);
}

function readCursor(query: KeysetQuery, fullPath: string, isKey: IsKey): PageCursor | undefined {
  if (query.cursor === undefined) return undefined;
  const cursor = decodePageCursor(query.cursor, keysetScope(query, fullPath));
  return cursor && isKey(cursor.key) ? cursor : undefined;
}
