import { UriTooLong } from '../problem-details/index.js';
import { encodePageCursor, type PageCursor, type PageNeighbours } from './page-cursor.js';

/**
 * A link of a `Link` field (RFC 8288). All members except the target become its attributes, in their order; they have no
 * quotes.
 */
export interface Link {
  /** A percent-encoded URL or reference, which therefore contains no `>`. */
  readonly target: string;
  /** One or several relation types, separated by spaces: `next`. */
  readonly rel: string;
  readonly type?: string;
}

/**
 * The longest address that a response can repeat in a header field: its header section has at most 8 KiB, and its other
 * fields take about 1 KiB.
 */
export const MAX_TARGET_LENGTH = 5_632;

/** A request of at most 1 KiB gets a header section of at most 4 KiB, as nginx expects by default. */
const SMALL_REQUEST_LENGTH = 1_024;
/** The longest `Link` in a header section of 4 KiB, and in one of 8 KiB. */
const SMALL_LENGTH = 2_816;
const MAX_LENGTH = 6_912;

/**
 * The value of a `Link` field with these links (RFC 8288 §3), in their order of importance. The link to the next page is
 * always there; of the others, those that fit. It is empty without links: then omit the field.
 *
 * @param requestLength of the query that the links repeat
 */
export function formatLinks(links: readonly Link[], requestLength = 0): string {
  let field = '';
  for (const link of links) {
    const longer = field + (field === '' ? '' : ', ') + formatLink(link);
    const isNeighbour = link.rel === 'next' || link.rel === 'prev';
    const room = isNeighbour && requestLength > SMALL_REQUEST_LENGTH ? MAX_LENGTH : SMALL_LENGTH;
    if (link.rel === 'next' || longer.length <= room) field = longer;
  }
  return field;
}

function formatLink({ target, ...attributes }: Link): string {
  let text = `<${target}>`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += `; ${name}="${value}"`;
  }
  return text;
}

/**
 * The links from a page to its neighbours and to the first page. All other parameters are kept.
 *
 * @param scope identifies the list that the cursors belong to; see page-cursor.ts
 * @throws UriTooLong
 */
export function linksOfPage(
  { next, previous }: PageNeighbours,
  { url, query: sent, scope }: Readonly<Record<'url' | 'query' | 'scope', string>>,
): Link[] {
  const kept = sent.split('&').filter((pair) => !['', 'cursor', 'offset'].includes(parameterName(pair)));
  const target = (cursor?: PageCursor): string => {
    const pairs = cursor ? [...kept, `cursor=${encodePageCursor({ ...cursor, scope })}`] : kept;
    const query = pairs.join('&');
    // A client could not follow this link.
    if (query.length > MAX_TARGET_LENGTH) throw new UriTooLong();
    return query === '' ? url : `${url}?${query}`;
  };
  return [
    ...(next ? [{ target: target(next), rel: 'next' }] : []),
    ...(previous ? [{ target: target(previous), rel: 'prev' }] : []),
    { target: target(), rel: 'first' },
  ];
}

function parameterName(pair: string): string {
  return decodeURIComponent(pair.replace(/=.*/s, ''));
}
