import type { Request, Response } from 'express';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type ResponseCoding, negotiateCoding } from '../protocol/accept.js';
import type { LastModified } from '../protocol/last-modified.js';
import { evaluateIfNoneMatch, NOT_WHAT_IF_MATCH_NAMES, Preconditions } from '../protocol/preconditions.js';
import { SlicedBody } from '../request/slices.js';
import { Head, SECURITY_FIELDS } from './head.js';
import { readerOf, writeBody } from './response-reader.js';

/** Smaller bodies are not compressed: they fit one packet. */
const MIN_COMPRESSED_BYTES = 1024;
/** The socket buffer holds this much anyway. */
const LARGE_BYTES = 65_536;
/** Quality 4 of 11 compresses JSON about as well as gzip 6 in half its time. */
const BROTLI_QUALITY = 4;

const compressors = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** The parts of a response that do not depend on the connection. */
export interface ResponseParts {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The opaque part of a strong entity tag of the uncompressed body. */
  readonly entityTag?: string | undefined;
  readonly lastModified?: LastModified | undefined;
  /** A sliced body is sent while its slices are generated. */
  readonly body?: string | Buffer | SlicedBody;
  /** Asks the database whether the response, when it is cached, still has the current state. */
  readonly isCurrent?: (() => Promise<boolean>) | undefined;
  /** The body in content codings that already exist; other codings are created on request. */
  readonly compressed?: Partial<Readonly<Record<keyof typeof compressors, Buffer>>>;
}

/**
 * A response that is complete except for the parts that the request's header fields determine. It can be sent any
 * number of times.
 */
export class ApiResponse implements ResponseParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly entityTag: string | undefined;
  readonly lastModified: LastModified | undefined;
  readonly body: string | Buffer | SlicedBody | undefined;
  readonly isCurrent: (() => Promise<boolean>) | undefined;
  #identity: EncodedResponse | undefined;
  #compressed: Map<ResponseCoding, EncodedResponse> | undefined;
  #bytes: number | undefined;

  constructor({ status, headers = {}, entityTag, lastModified, body, isCurrent, compressed }: ResponseParts) {
    this.status = status;
    this.headers = headers;
    this.entityTag = entityTag;
    this.lastModified = lastModified;
    this.body = body;
    this.isCurrent = isCurrent;
    for (const [coding, bytes] of Object.entries(compressed ?? {})) {
      this.#keep(coding as keyof typeof compressors, bytes);
    }
  }

  /** The length of the uncompressed body in bytes; approximate for a sliced body. */
  get bytes(): number {
    this.#bytes ??= this.body instanceof SlicedBody ? this.body.length : Buffer.byteLength(this.body ?? '');
    return this.#bytes;
  }

  /** The response in a content coding, created once. Returns a promise only when the body must be compressed. */
  encode(coding: ResponseCoding): EncodedResponse | Promise<EncodedResponse> {
    if (this.body instanceof SlicedBody) throw new Error('A sliced body is encoded as it is sent.');
    if (coding === 'identity' || this.body === undefined) {
      return (this.#identity ??= new EncodedResponse(this, 'identity', this.body, this.bytes));
    }
    const encoded = this.#compressed?.get(coding);
    if (encoded) return encoded;
    return compressors[coding](Buffer.from(this.body)).then((body) => this.#keep(coding, body));
  }

  #keep(coding: keyof typeof compressors, body: Buffer): EncodedResponse {
    const encoded = new EncodedResponse(this, coding, body, body.length);
    (this.#compressed ??= new Map()).set(coding, encoded);
    return encoded;
  }
}

/** The fields that describe a body. A 304 has no body and omits them. */
const BODY_FIELDS: ReadonlySet<string> = new Set(['Content-Type', 'Content-Encoding', 'Content-Length']);

/** A response in one content coding, ready to send. */
export class EncodedResponse {
  readonly etag: string | undefined;
  readonly lastModified: LastModified | undefined;
  readonly head: Head;
  #notModified: Head | undefined;

  constructor(
    { status, headers = {}, entityTag, lastModified }: ResponseParts,
    coding: ResponseCoding,
    /** Undefined when there is no body, or when it is sent separately. */
    readonly body?: string | Buffer,
    readonly bytes = 0,
  ) {
    const fields = ['X-Request-Id', ''];
    for (const name in SECURITY_FIELDS) if (!(name in headers)) fields.push(name, SECURITY_FIELDS[name]!);
    for (const name in headers) fields.push(name, headers[name]!);
    if (entityTag) {
      this.etag = coding === 'identity' ? `"${entityTag}"` : `"${entityTag}-${coding}"`;
      fields.push('ETag', this.etag);
    }
    this.lastModified = lastModified;
    if (lastModified) fields.push('Last-Modified', lastModified.field);
    if (coding !== 'identity') fields.push('Content-Encoding', coding);
    if (body !== undefined) fields.push('Content-Length', String(bytes));
    this.head = new Head(status, fields);
  }

  get notModified(): Head {
    this.#notModified ??= new Head(
      304,
      this.head.fields.filter((_, index, all) => !BODY_FIELDS.has(all[index - (index % 2)]!)),
    );
    return this.#notModified;
  }
}

/** The opaque part of an entity tag for a body without a version. */
export function contentEntityTag(content: string | Buffer): string {
  return hash('sha1', content, 'base64url');
}

const CHANGED_SINCE =
  'The representation has changed, or may have changed, since the date of If-Unmodified-Since.';

/**
 * Checks the `If-Match`, or else the `If-Unmodified-Since`, of a read against its response.
 *
 * @throws PreconditionFailed
 * @throws InvalidRequest
 */
export function assertStillMatches(
  { method, headers }: Request,
  { entityTag, lastModified }: Pick<ResponseParts, 'entityTag' | 'lastModified'>,
): void {
  if (entityTag === undefined || !isRead(method)) return;
  const { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince } = headers;
  if ((ifMatch ?? ifUnmodifiedSince) === undefined) return;
  const detail = ifMatch === undefined ? CHANGED_SINCE : NOT_WHAT_IF_MATCH_NAMES;
  const preconditions = Preconditions.from({ ifMatch, ifUnmodifiedSince });
  preconditions.assertMet(entityTag, lastModified, detail);
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Writes a response: selects the content coding, sends 304 when the client has the current representation (RFC 9110
 * §13.2.2) and omits the body for HEAD. Returns a promise only when the body must be compressed first, or is large:
 * then it resolves when the client has read it.
 *
 * @throws as {@link assertStillMatches} does
 * @throws TooManyResponses
 * @throws ClientGone
 */
export function sendResponse(
  request: Request,
  response: Response,
  apiResponse: ApiResponse,
): Promise<void> | undefined {
  if (apiResponse.status === 200) assertStillMatches(request, apiResponse);
  const coding =
    apiResponse.bytes > MIN_COMPRESSED_BYTES
      ? negotiateCoding(request.headers['accept-encoding'])
      : 'identity';
  // Buffers are cached assets; only strings count against the budget.
  if (
    apiResponse.body instanceof SlicedBody ||
    (typeof apiResponse.body === 'string' && apiResponse.bytes > LARGE_BYTES)
  ) {
    return sendLarge(request, response, apiResponse, apiResponse.body, coding);
  }
  const encoded = apiResponse.encode(coding);
  if ('then' in encoded) return encoded.then((ready) => write(request, response, ready));
  write(request, response, encoded);
  return undefined;
}

/**
 * Limits the memory of large responses that their clients have yet to read. A read without room is rejected. The
 * response to a write is always sent, because the write is done.
 *
 * @throws TooManyResponses
 * @throws ClientGone
 */
async function sendLarge(
  request: Request,
  response: Response,
  apiResponse: ApiResponse,
  body: string | SlicedBody,
  coding: ResponseCoding,
): Promise<void> {
  const { bytes } = apiResponse;
  const isIdentity = coding === 'identity' && typeof body === 'string';
  const encoded = isIdentity
    ? new EncodedResponse(apiResponse, coding, body, bytes)
    : new EncodedResponse(apiResponse, coding);
  if (sendWithoutBody(request, response, encoded)) return;
  const { context } = request;
  const reader = readerOf(request, response);
  reader.signal.throwIfAborted();
  const isRefusable = request.method === 'GET';
  // From here on, the response counts instead of the request's body.
  context.bodyShare?.release();
  const release = context.responseMemory?.[isRefusable ? 'take' : 'force'](reader, bytes);
  if (isIdentity) context.sentBytes = bytes;
  try {
    encoded.head.write(request, response);
    await writeBody(reader, response, typeof body === 'string' ? [body] : body.slices(), coding);
  } finally {
    release?.();
  }
}

/** Sends a response without a body: to HEAD, or a 304. @returns whether it was sent */
export function sendWithoutBody(request: Request, response: Response, encoded: EncodedResponse): boolean {
  const { head } = encoded;
  if (isRead(request.method) && head.status === 200 && clientHas(request, encoded)) {
    encoded.notModified.send(request, response, '', 'latin1');
    return true;
  }
  if (request.method !== 'HEAD') return false;
  head.send(request, response, '', 'latin1');
  return true;
}

/** Whether the client already has the response. A date counts only without an entity tag (RFC 9110 §13.2.2). */
function clientHas({ headers }: Request, { etag, lastModified }: EncodedResponse): boolean {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) return etag !== undefined && evaluateIfNoneMatch(ifNoneMatch, etag);
  const ifModifiedSince = headers['if-modified-since'];
  return ifModifiedSince !== undefined && lastModified?.isNotModifiedSince(ifModifiedSince) === true;
}

function write(request: Request, response: Response, encoded: EncodedResponse): void {
  if (sendWithoutBody(request, response, encoded)) return;
  const { head, body, bytes } = encoded;
  request.context.sentBytes = bytes;
  const isAscii = typeof body === 'string' && body.length === bytes;
  head.send(request, response, body ?? '', isAscii ? 'latin1' : 'utf8');
}
