import type { PageCursor, PageNeighbours } from '../http/response/page-links.js';

/** A page of a list that is ordered by a number, from high to low, and where its neighbours start, if there are any. */
export interface KeysetPage<Row> extends PageNeighbours {
  readonly rows: readonly Row[];
}

/** How far, and from where, a list is to be read. */
export interface KeysetWalk {
  /** From low to high: the rows come in reverse. */
  readonly backwards: boolean;
  /** The number behind which the walk starts; without one it starts at the list's end. */
  readonly after: number | undefined;
  readonly rows: number;
}

/** What a client asks of such a list. */
export interface KeysetRequest {
  readonly limit: number;
  readonly cursor: PageCursor | undefined;
}

/**
 * Reads a page of such a list, and finds out where its neighbours start.
 *
 * @param read gives the rows of a walk, in its direction
 */
export async function readKeysetPage<Row>(
  { limit, cursor }: KeysetRequest,
  read: (walk: KeysetWalk) => Promise<Row[]>,
  keyOf: (row: Row) => number,
): Promise<KeysetPage<Row>> {
  const backwards = cursor?.direction === 'prev';
  const after = cursor?.key[0] as number | undefined;
  // One row more than the page has tells whether there is more in the direction of the walk.
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
