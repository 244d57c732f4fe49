import { hash } from 'node:crypto';

/** A link of a `Link` field (RFC 8288). All members but the target become its attributes, in their order. */
export interface Link {
  /** A URL or a reference to one, percent-encoded already, so that it holds no `>`. */
  readonly target: string;
  /** One relation type or several, separated by spaces: `next`. */
  readonly rel: string;
  /** A hint at the media type of what is behind the link. */
  readonly type?: string;
}

/** Several links as the value of one `Link` field (RFC 8288 §3); empty when there are none: then leave out the field. */
export function formatLinks(links: readonly Link[]): string {
  return links.map(formatLink).join(', ');
}

function formatLink({ target, ...attributes }: Link): string {
  let text = `<${target}>`;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) text += `; ${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  }
  return text;
}

/** A place in a list: the page `next` to it or `prev`ious to it starts behind the row with this key. */
export interface PageCursor {
  readonly direction: 'next' | 'prev';
  /** The sort values of a row, in the order of the ordering: any text, and integers up to 2^53−1. */
  readonly key: readonly (string | number)[];
}

/** 96 bits: they need exactly 16 characters, so none of them holds bits that could differ unnoticed. */
const DIGEST_CHARS = 16;

/**
 * Writes a cursor as opaque text for a URL: a digest, then the payload, both in base64url (RFC 4648 §5).
 *
 * The digest covers the scope, which is not in the text itself. It has no key: a cursor holds no secret and grants
 * nothing that the list would not show anyway, so the digest has only to notice accidents and tinkering. Therefore any
 * instance of the service, restarted or not, reads the cursors of any other.
 *
 * @param scope names the ordering and the filters of the list
 */
export function encodePageCursor({ scope, direction, key }: PageCursor & { readonly scope: string }): string {
  const payload = JSON.stringify([direction, ...key]);
  return digestOf(scope, payload) + Buffer.from(payload).toString('base64url');
}

/**
 * Reads a cursor; `undefined` when it was altered in any way or belongs to another scope. Who takes the trouble can
 * compute a digest: that the key has as many values as the ordering, and of its types, remains to be checked.
 */
export function decodePageCursor(text: string, scope: string): PageCursor | undefined {
  const encoded = text.slice(DIGEST_CHARS);
  const payload = Buffer.from(encoded, 'base64url').toString();
  if (text.slice(0, DIGEST_CHARS) !== digestOf(scope, payload)) return undefined;
  // Other spellings, such as padding, stray bits at the end or bytes that are not UTF-8, decode to the same text.
  if (encoded !== Buffer.from(payload).toString('base64url')) return undefined;
  return readPayload(payload);
}

function digestOf(scope: string, payload: string): string {
  // As a JSON string the scope ends where it ends, and a lone surrogate in it stays what it is.
  return hash('sha256', JSON.stringify(scope) + payload, 'base64url').slice(0, DIGEST_CHARS);
}

function readPayload(payload: string): PageCursor | undefined {
  let values: unknown;
  try {
    values = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (!Array.isArray(values)) return undefined;
  const [direction, ...key] = values as unknown[];
  if ((direction !== 'next' && direction !== 'prev') || !key.every(isKeyValue)) return undefined;
  return { direction, key };
}

function isKeyValue(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

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
  /** Names the list that its cursors belong to; see {@link encodePageCursor}. */
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
