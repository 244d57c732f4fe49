import { encodePageCursor, type PageCursor, type PageNeighbours } from '../request/page-cursor.js';

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

/** The value of a `Link` field with these links (RFC 8288 §3). It is empty without links: then omit the field. */
export function formatLinks(links: readonly Link[]): string {
  return links.map(formatLink).join(', ');
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
 */
export function linksOfPage(
  { next, previous }: PageNeighbours,
  { url, query, scope }: Readonly<Record<'url' | 'query' | 'scope', string>>,
): Link[] {
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

function nameOf(pair: string): string {
  return decodeURIComponent(pair.replace(/=.*/s, ''));
}
