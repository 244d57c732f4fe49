import { createHash, type Hash, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { InvalidRequest } from '../../problem-details/problems.js';
import type { ApiResponse } from '../response/api-response.js';
import type { BodyFormat } from './request-body.js';

/** What makes a request with an Idempotency-Key the same as another one. */
export class IdempotentRequest {
  /**
   * Names the key. Each bearer of a token has keys of its own, so that no client is given the response to another's request;
   * those without one share theirs.
   */
  readonly id: string;
  readonly payload: PayloadDigest;
  /** Makes the response of what the handler did. */
  readonly respond: (value: unknown) => ApiResponse;

  private constructor(
    key: string,
    bearerId: string,
    format: BodyFormat | undefined,
    respond: (value: unknown) => ApiResponse,
  ) {
    this.respond = respond;
    this.id = hash('sha256', `${bearerId}\n${key}`, 'base64url');
    this.payload = new PayloadDigest(format);
  }

  /**
   * @param bearerId whose token the request was let in with, if anybody's
   * @returns undefined when the request has no key
   * @throws InvalidRequest when it has a malformed one
   */
  static from(
    request: IncomingMessage,
    bearerId: string | undefined,
    format: BodyFormat | undefined,
    respond: (value: unknown) => ApiResponse,
  ): IdempotentRequest | undefined {
    const key = readIdempotencyKey(request);
    return key === undefined ? undefined : new IdempotentRequest(key, bearerId ?? '', format, respond);
  }
}

/**
 * The digest of a request's payload: its media type and its bytes as they are after inflation. (Compressing the same
 * bytes again need not give the same bytes: gzip notes the time.)
 */
class PayloadDigest {
  readonly #hash: Hash = createHash('sha256');
  #digest: string | undefined;

  constructor(format: Pick<BodyFormat, 'type' | 'boundary'> | undefined) {
    this.#hash.update(`${format?.type}\n${format?.boundary}\n`);
  }

  /** Takes the next bytes as they are read: hashing 64 MiB at once would hold up everybody else. */
  update(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  /** To be asked for once the last byte was taken. */
  digest(): string {
    this.#digest ??= this.#hash.digest('base64url');
    return this.#digest;
  }
}

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
function readIdempotencyKey(request: IncomingMessage): string | undefined {
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
