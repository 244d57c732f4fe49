import type { IncomingMessage } from 'node:http';
import { InvalidRequest } from '../../problem-details/problems.js';

const MAX_KEY_LENGTH = 255;

/** A string of a structured field (RFC 9651 §3.3.3), as the draft has the key. */
const QUOTED_KEY = /^"(?:[ !#-[\]-~]|\\["\\])*"$/;
/** The key as most clients send it; it is the same key as with quotes around it. */
const BARE_KEY = /^[!#-~](?:[ !#-~]*[!#-~])?$/;

const RULE = `must be one key of 1 to ${MAX_KEY_LENGTH} ASCII characters, with or without double quotes around it`;

/**
 * Reads the `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header); undefined when it has none.
 *
 * @throws InvalidRequest when it is malformed
 */
export function readIdempotencyKey(request: IncomingMessage): string | undefined {
  const field = request.headers['idempotency-key'];
  if (field === undefined) return undefined;
  // Node joins two fields by a comma, which a key may hold.
  const isAlone = request.headersDistinct['idempotency-key']?.length === 1;
  const key = isAlone ? parseIdempotencyKey(String(field)) : undefined;
  if (key === undefined)
    throw new InvalidRequest([
      { detail: `The field ${RULE}.`, code: 'malformed', header: 'Idempotency-Key' },
    ]);
  return key;
}

/** The key without its quotes; undefined when it is malformed. */
export function parseIdempotencyKey(field: string): string | undefined {
  let key = field;
  if (QUOTED_KEY.test(field)) key = field.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  else if (!BARE_KEY.test(field)) return undefined;
  return key.length >= 1 && key.length <= MAX_KEY_LENGTH ? key : undefined;
}
