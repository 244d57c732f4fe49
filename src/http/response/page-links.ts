import type { Link } from '../protocol/link-header.js';
import { encodePageCursor, type PageCursor } from '../request/page-cursor.js';

/** A page's neighbours: where they start, if there are any. */
export interface PageNeighbours {
  readonly next: PageCursor | undefined;
  readonly previous: PageCursor | undefined;
}

/** Where a list is, and how it was asked for. */
export interface ListAddress {
  /** The URL without a query. */
  readonly url: string;
  /** The raw query, well-formed. */
  readonly query: string;
  /** Names the list that its cursors belong to; see page-cursor.ts. */
  readonly scope: string;
}

/** The links from a page of a list to its neighbours and to the first page, with all other parameters kept. */
export function linksOfPage({ next, previous }: PageNeighbours, { url, query, scope }: ListAddress): Link[] {
  const kept = query.split('&').filter((pair) => !['', 'cursor', 'offset'].includes(nameOf(pair)));
  const target = (cursor?: PageCursor): string => {
    const pairs = cursor ? [...kept, `cursor=${encodePageCursor({ ...cursor, scope })}`] : kept;
    return pairs.length === 0 ? url : `${url}?${pairs.join('&')}`;
  };
  return [
    ...(next ? [{ target: target(next), rel: 'next' }] : []),
    ...(previous ? [{ target: target(previous), rel: 'prev' }] : []),
    { target: target(), rel: 'first' },
  ];
}

/** The parameter's name, however much of it is percent-encoded. */
function nameOf(pair: string): string {
  return decodeURIComponent(pair.replace(/=.*/s, ''));
}
