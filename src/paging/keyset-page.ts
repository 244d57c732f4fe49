import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { type PageCursor, type PageNeighbours, readCursor } from './page-cursor.js';
import { IsIntegerBetween, Optional } from '../input/index.js';

/** A page of a list, with the cursors of its neighbours. */
export interface KeysetPage<Row> extends PageNeighbours {
  readonly rows: readonly Row[];
}

/** Where a read of a list starts, its direction and its length. */
export interface KeysetWalk {
  /** Reads against the order of the list, so the rows come in reverse. */
  readonly backwards: boolean;
  /** The key after which the read starts; without one, the read starts at the list's end. */
  readonly after: PageCursor['key'] | undefined;
  /** The number of rows to skip; only lists that take an `offset` have one. */
  readonly offset?: number;
  readonly rows: number;
}

export interface KeysetRequest {
  readonly limit: number;
  readonly cursor: PageCursor | undefined;
  readonly offset?: number;
}

/** The key of a cursor to the first or the last page: it starts at that end of the list, whichever rows are there then. */
const END_OF_LIST: PageCursor['key'] = [];

/** @returns the rows in the order of the read */
type ReadRows<Row> = (walk: KeysetWalk) => Promise<Row[]>;

/** Reads a page of a list and determines where its neighbours start. */
export async function readKeysetPage<Row>(
  { limit, cursor, offset = 0 }: KeysetRequest,
  read: ReadRows<Row>,
  keyOf: (row: Row) => PageCursor['key'],
): Promise<KeysetPage<Row>> {
  const backwards = cursor?.direction === 'prev';
  // One row more than the page shows whether more rows follow in this direction.
  const rows = await read({ backwards, after: cursor?.key, offset, rows: limit + 1 });
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  // Only a read from an end of the list has nothing behind it.
  const isFromEnd = cursor ? cursor.key.length === 0 : offset === 0;
  const behind = isFromEnd ? undefined : await keyBehind(rows, backwards, read, keyOf);
  const beyond = hasMore ? keyOf(rows.at(-1)!) : undefined;
  // A backward read meets the rows in reverse: the next page is behind it.
  const [next, previous] = backwards ? [behind, beyond] : [beyond, behind];
  return {
    rows: backwards ? rows.toReversed() : rows,
    next: next && { direction: 'next', key: next },
    previous: previous && { direction: 'prev', key: previous },
  };
}

/**
 * Where the page starts that led to these rows. Behind an empty page is that end of the list.
 *
 * @returns undefined when the list has no row there
 */
async function keyBehind<Row>(
  [first]: readonly Row[],
  backwards: boolean,
  read: ReadRows<Row>,
  keyOf: (row: Row) => PageCursor['key'],
): Promise<PageCursor['key'] | undefined> {
  if (first) return keyOf(first);
  const [row] = await read({ backwards: !backwards, after: undefined, offset: 0, rows: 1 });
  return row ? END_OF_LIST : undefined;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** The query of a list that is read page by page. The list itself checks whether a cursor belongs to it. */
export class KeysetQuery {
  @Optional()
  @IsIntegerBetween(1, MAX_LIMIT)
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'The maximum number of items on a page.',
  })
  limit?: number;

  @Allow()
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    description: 'Opaque, from a `Link`; holds for the same list, ordering and filters only.',
  })
  cursor?: string;
}

type IsKey = Parameters<typeof readCursor>[2];

const isNumber: IsKey = ([key, ...others]) => typeof key === 'number' && others.length === 0;

/**
 * @param scope identifies the list that the cursor belongs to
 * @param isKey whether the values of a cursor can be a key of the list; by default they are one number
 * @throws InvalidRequest when the cursor belongs to another list
 */
export function toKeysetRequest(
  { limit = DEFAULT_LIMIT, cursor }: KeysetQuery,
  scope: string,
  isKey: IsKey = isNumber,
): KeysetRequest {
  return { limit, cursor: cursor === undefined ? undefined : readCursor(cursor, scope, isKey) };
}

/** Identifies the list that a cursor belongs to by its path and its filters. */
export function keysetScope(query: KeysetQuery, fullPath: string): string {
  const filters = Object.entries(query)
    .filter(([name, value]) => name !== 'limit' && name !== 'cursor' && value !== undefined)
    // The same for the texts of a query and for the values of its class.
    .map(([name, value]) => [name, String(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fullPath, filters]);
}
