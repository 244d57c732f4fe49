import type { ApiResponse } from '../response/api-response.js';
import { createHash, type Hash, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readIdempotencyKey } from '../protocol/idempotency-key.js';
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
