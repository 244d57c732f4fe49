import { hash } from 'node:crypto';

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
