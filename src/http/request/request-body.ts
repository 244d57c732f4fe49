import type { Request, Response } from 'express';
import { constants } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { InputFault } from '../../problem-details/problem.js';
import { InvalidRequest, TooManyImports, UnsupportedMediaType } from '../../problem-details/problems.js';
import { FairShares } from '../pipeline/fair-shares.js';
import type { InFlightRequests } from '../pipeline/in-flight-requests.js';
import type { RouteOperation } from '../pipeline/route-table.js';
import { FORM_TYPE, JSON_TYPE, MULTIPART_TYPE, parseMediaType } from '../protocol/media-type.js';
import type { ApiResponse } from '../response/api-response.js';
import { type BodyStreamOptions, readBodyBytes, RequestBodyStream, streamBody } from './body-bytes.js';
import { BodyMemoryBudget } from './body-memory.js';
import { clientOfRequest } from './client-address.js';
import { decodeUrlencodedBody, type FormRules, isUtf8Charset } from './form-bodies.js';
import { IdempotentRequest, readIdempotencyKey } from './idempotent-request.js';
import type { RequestCoding } from './inflation.js';
import { decodeJsonBody } from './json-body.js';
import { decodeLargeJsonBody } from './large-json-body.js';
import { assertBoundary, decodeMultipartBody } from './multipart-body.js';
import { LARGE_BYTES } from './slices.js';

/** A body that sends no byte for this long is rejected. */
const IDLE_TIMEOUT_MS = 30_000;

/** The maximum number of concurrent imports. Each uses the event loop, a file and a thread for inflation. */
const BODY_STREAMS = { total: 16, perClient: 4 };

/** Reads request bodies within a shared budget of memory and streams. */
export class RequestBodies {
  readonly #memory: BodyMemoryBudget;
  readonly #streams = new FairShares(BODY_STREAMS);

  constructor(
    private readonly maxBodyBytes: number,
    private readonly inFlightRequests: InFlightRequests,
  ) {
    this.#memory = new BodyMemoryBudget(maxBodyBytes);
  }

  /**
   * Sets the request context's body to the decoded body, or to a stream when the operation reads it itself.
   *
   * @returns undefined when the body needs no waiting
   * @throws Problem synchronously or as a rejection
   */
  read(operation: RouteOperation, request: Request, response: Response): Promise<void> | undefined {
    const { consumes, declaration, input } = operation;
    if (!consumes) return undefined;
    const { context } = request;
    const format = checkBodyHeaders(request, consumes);
    if (declaration.takesIdempotencyKey) {
      const key = readIdempotencyKey(request);
      const respond = (value: unknown): ApiResponse =>
        operation.respond(value as never, context) as ApiResponse;
      if (key !== undefined) {
        context.idempotent = new IdempotentRequest(key, context.bearerId ?? '', format, respond);
      }
    }
    const client = clientOfRequest(request);
    const memory = this.#memory.lease(client);
    context.memoryLease = memory;
    const options = {
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      memory,
      reading: this.inFlightRequests.reading,
      onBytes: context.idempotent && ((bytes: Buffer) => context.idempotent?.addBytes(bytes)),
      onReadStart: (): void => {
        if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
      },
    };
    if (format && declaration.streams?.includes(format.type)) {
      const share = this.#streams.open(client);
      if (!share.take(1)) throw new TooManyImports();
      const { codings } = format;
      const chunks = streamBody(request, { ...options, share, codings, maxBodyBytes: Infinity });
      context.bodyStream = new RequestBodyStream(format.type, chunks, share, memory);
      return undefined;
    }
    return readRequestBody(request, format, {
      ...options,
      maxBodyBytes: Math.min(this.maxBodyBytes, declaration.maxBodyBytes ?? Infinity),
      forms: input.forms,
    }).then((body) => {
      context.body = body;
    });
  }
}

/** The decoded body of a request, the same for all three formats. */
export type RequestBody =
  | { kind: 'absent' }
  | { kind: 'fields'; fields: Record<string, unknown> }
  | { kind: 'faulty'; faults: readonly InputFault[] };

/** The format of a body, from the request's header fields. */
export interface BodyFormat {
  /** In lower case, without parameters. */
  type: string;
  /** The parameter that separates the parts of multipart/form-data. */
  boundary: string | undefined;
  codings: readonly RequestCoding[];
}

export interface ReadOptions extends Omit<BodyStreamOptions, 'codings'> {
  forms: FormRules;
}

const CODINGS: ReadonlyMap<string, RequestCoding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
]);

const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Each coding multiplies the inflated size of a few bytes; two are enough. */
const MAX_CODINGS = 2;

const NO_CODINGS: readonly RequestCoding[] = [];

/** `Accept-Encoding` shows that the content coding, not the media type, is at fault (RFC 9110 §15.5.16). */
class UnsupportedContentCoding extends UnsupportedMediaType {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(understood: readonly string[]) {
    super(`Supported in Content-Encoding: ${ACCEPT_ENCODING}, at most ${MAX_CODINGS} of them.`, understood);
    this.headers = { 'Accept-Post': understood.join(', '), 'Accept-Encoding': ACCEPT_ENCODING };
  }
}

/**
 * Checks Content-Type, charset and Content-Encoding before a byte is read.
 *
 * @param understood the media types that the operation accepts
 * @returns undefined when there is no body
 * @throws UnsupportedMediaType
 */
export function checkBodyHeaders(
  { headers }: IncomingMessage,
  understood: readonly string[],
): BodyFormat | undefined {
  if (!announcesBody(headers)) return undefined;
  const contentType = headers['content-type'];
  if (contentType === undefined) throw new UnsupportedMediaType('A body needs a Content-Type.', understood);
  const mediaType = parseMediaType(contentType);
  if (mediaType === undefined) throw new UnsupportedMediaType('The Content-Type is malformed.', understood);
  const { type, parameters } = mediaType;
  if (!understood.includes(type)) {
    throw new UnsupportedMediaType(`Understood here: ${understood.join(', ')}.`, understood);
  }
  if (!isUtf8Charset(parameters.get('charset'))) {
    throw new UnsupportedMediaType('Only the charset UTF-8 is supported.', understood);
  }
  const codings = parseCodings(headers['content-encoding']);
  if (codings === undefined) throw new UnsupportedContentCoding(understood);
  return { type, boundary: parameters.get('boundary'), codings };
}

/**
 * Reads a complete body and decodes it. Malformed input is returned, not thrown, so that the caller can report it
 * together with the faults of the query.
 *
 * @throws BodyTooLarge
 * @throws RequestTimedOut
 * @throws ClientGone
 */
export async function readRequestBody(
  request: IncomingMessage,
  format: BodyFormat | undefined,
  { forms, ...options }: ReadOptions,
): Promise<RequestBody> {
  if (format === undefined) return { kind: 'absent' };
  try {
    // Rejected before the body is sent, not after.
    if (format.type === MULTIPART_TYPE) assertBoundary(format.boundary);
    // A body becomes one string, and this is V8's maximum length.
    const maxBodyBytes = Math.min(options.maxBodyBytes, constants.MAX_STRING_LENGTH);
    const bytes = await readBodyBytes(request, { ...options, codings: format.codings, maxBodyBytes });
    return { kind: 'fields', fields: await decode(bytes, format, forms) };
  } catch (error) {
    if (error instanceof InvalidRequest) return { kind: 'faulty', faults: error.errors ?? [] };
    throw error;
  }
}

function decode(
  bytes: Buffer,
  { type, boundary }: BodyFormat,
  forms: FormRules,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  switch (type) {
    case JSON_TYPE:
      return bytes.length > LARGE_BYTES ? decodeLargeJsonBody(bytes) : decodeJsonBody(bytes);
    case FORM_TYPE:
      return decodeUrlencodedBody(bytes, forms);
    case MULTIPART_TYPE:
      return decodeMultipartBody(bytes, boundary, forms);
    default:
      throw new Error(`No reader for a body of the type ${type}.`);
  }
}

/** A Content-Type with an empty body announces an empty document, not a missing one. */
function announcesBody(headers: IncomingHttpHeaders): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  return length !== undefined && (Number(length) > 0 || headers['content-type'] !== undefined);
}

/** The codings of a Content-Encoding (RFC 9110 §8.4); `undefined` when one is unknown or there are too many. */
function parseCodings(contentEncoding: string | undefined): readonly RequestCoding[] | undefined {
  if (contentEncoding === undefined) return NO_CODINGS;
  const codings: RequestCoding[] = [];
  for (const element of contentEncoding.split(',')) {
    const name = element.trim().toLowerCase();
    // A list may have empty elements (RFC 9110 §5.6.1.2).
    if (name === '' || name === 'identity') continue;
    const coding = CODINGS.get(name);
    if (coding === undefined || codings.length === MAX_CODINGS) return undefined;
    codings.push(coding);
  }
  return codings;
}
