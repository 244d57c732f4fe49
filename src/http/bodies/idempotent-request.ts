import type { Request } from 'express';
import { createHash, hash } from 'node:crypto';
import type { Client } from '../../limits/index.js';
import { InvalidRequest } from '../../problem-details/index.js';
import type { BodyFormat } from './body-format.js';

/**
 * Identifies a request with an Idempotency-Key, to recognise repetitions of it. The payload is its media type and its
 * inflated bytes, or of multipart/form-data its fields. (Compressing the same bytes again may give different bytes,
 * because gzip stores the time, and the boundary of multipart is random.)
 */
export class IdempotentRequest {
  /**
   * The id of the key. Keys of different credentials are different keys, so no client gets the response to another
   * client's request. Keys of different base URLs are different keys, because a response contains links.
   */
  readonly id: string;
  readonly client: Client;
  readonly #hash = createHash('sha256');
  #digest: string | undefined;

  constructor(key: string, request: Request, mediaType: string | undefined) {
    const { user, headers, context } = request;
    this.client = context.client;
    // The service ignores credentials that it does not know, but a proxy in front of it may check them. No user of the
    // service has an id like this.
    const unknown = headers.authorization === undefined ? '' : `Authorization: ${headers.authorization}`;
    const credentials = user.id ?? unknown;
    this.id = hash('sha256', JSON.stringify([credentials, context.baseUrl, key]), 'base64url');
    this.#hash.update(`${mediaType}\n`);
  }

  /** Hashes the bytes as they arrive: hashing megabytes at once would block all other requests. */
  addBytes(bytes: Buffer | string): void {
    this.#hash.update(bytes);
  }

  /** Call only after the last byte. */
  payloadDigest(): string {
    return (this.#digest ??= this.#hash.digest('base64url'));
  }
}

/** A key in double quotes, as the draft defines it, or without them, as most clients send it. */
const KEY = /^(?:"([ !#-[\]-~]{1,255})"|([!#-~](?:[ !#-~]{0,253}[!#-~])?))$/;

/**
 * Reads the `Idempotency-Key` of a request (draft-ietf-httpapi-idempotency-key-header).
 *
 * @returns undefined when it has none
 * @throws InvalidRequest when it is malformed
 */
export function readIdempotentRequest(
  request: Request,
  format: BodyFormat | undefined,
): IdempotentRequest | undefined {
  const field = request.headers['idempotency-key'];
  if (field === undefined) return undefined;
  // Node joins repeated fields with a comma, and a key may contain a comma.
  const isAlone = request.headersDistinct['idempotency-key']?.length === 1;
  const [, quoted, key = quoted] = KEY.exec(String(field)) ?? [];
  if (isAlone && key !== undefined) return new IdempotentRequest(key, request, format?.type);
  const detail =
    'The field must be one key of 1 to 255 ASCII characters, with or without double quotes around it.';
  throw new InvalidRequest([{ detail, code: 'malformed', header: 'Idempotency-Key' }]);
}
