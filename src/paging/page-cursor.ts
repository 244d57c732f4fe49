import { hash } from 'node:crypto';
import { InvalidRequest } from '../problem-details/index.js';

/** A position in a list: the page in this direction starts after the row with this key. */
export interface PageCursor {
  readonly direction: 'next' | 'prev';
  /** The sort values of a row, in the order of sorting: texts, and integers up to 2^53−1. */
  readonly key: readonly (string | number)[];
}

/** 96 bits take exactly 16 characters, so no character has unused bits that could be altered unnoticed. */
const DIGEST_CHARS = 16;

/**
 * Encodes a cursor as opaque text for a URL: a digest, then the payload, both in base64url (RFC 4648 §5). The digest
 * covers the scope, which the text does not contain. It has no key: a cursor contains no secret and grants no access
 * beyond the list, so the digest only needs to detect accidental or manual changes. Therefore, any instance of the
 * service reads the cursors of any other, also after a restart.
 *
 * @param scope identifies the ordering and the filters of the list
 */
export function encodePageCursor({ scope, direction, key }: PageCursor & { readonly scope: string }): string {
  const payload = JSON.stringify([direction, ...key]);
  // As a JSON string, the scope has a clear end, and a lone surrogate in it is preserved.
  const digest = hash('sha256', JSON.stringify(scope) + payload, 'base64url').slice(0, DIGEST_CHARS);
  return digest + Buffer.from(payload).toString('base64url');
}

/**
 * The cursor of a request. A client can compute a valid digest, so the key is checked too.
 *
 * @param isKey whether values can be a key of the list. Without values, a cursor stands for the end of the list.
 * @throws InvalidRequest when it was altered, or belongs to another list
 */
export function readCursor(
  text: string,
  scope: string,
  isKey: (key: PageCursor['key']) => boolean,
): PageCursor {
  const cursor = readPayload(Buffer.from(text.slice(DIGEST_CHARS), 'base64url').toString());
  // Other encodings, with padding, stray bits at the end or bytes that are not UTF-8, decode to the same cursor.
  const isUnaltered = cursor && encodePageCursor({ scope, ...cursor }) === text;
  if (isUnaltered && (cursor.key.length === 0 || isKey(cursor.key))) return cursor;
  const detail = 'It must come from a Link of a list with the same ordering and filters, unaltered.';
  throw new InvalidRequest([{ detail, code: 'bad_cursor', parameter: 'cursor' }]);
}

function readPayload(payload: string): PageCursor | undefined {
  try {
    const [direction, ...key] = JSON.parse(payload) as unknown[];
    if ((direction !== 'next' && direction !== 'prev') || !key.every(isKeyValue)) return undefined;
    return { direction, key };
  } catch {
    // Not JSON, or not a list.
    return undefined;
  }
}

function isKeyValue(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

export interface PageNeighbours {
  readonly next: PageCursor | undefined;
  readonly previous: PageCursor | undefined;
}
