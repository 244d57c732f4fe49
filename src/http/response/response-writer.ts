import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { TooManyResponses } from '../../problem-details/problems.js';
import { negotiateCoding, type ResponseCoding } from '../protocol/accept.js';
import { evaluateIfNoneMatch, NOT_WHAT_IF_MATCH_NAMES, Preconditions } from '../protocol/preconditions.js';
import { ClientShares } from '../request/client-shares.js';
import type { RequestContext } from '../request/request-context.js';
import { type ApiResponse, isStream } from './api-response.js';
import { type Fields, type Head, linesOf } from './head.js';
import { sendPrebuilt } from './prebuilt-response.js';
import { readerOf, writeBody } from './response-reader.js';
import { SECURITY_FIELDS } from './security-fields.js';

/** Smaller bodies are not compressed: they fit one packet. */
const MIN_COMPRESSED_BYTES = 1_024;
/** The socket buffer holds this much anyway. */
const LARGE_BYTES = 65_536;

/** The number of posts of the maximum size that may wait for their clients to read them. */
const LARGEST_RESPONSES = 4;
/** Older posts may be larger than a small MAX_BODY_BYTES. */
const MIN_MEMORY_BYTES = 64 * 1_024 * 1_024;

/** One year, the minimum that browsers require to trust a host. */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' };

const CHANGED_SINCE =
  'The representation has changed, or may have changed, since the date of If-Unmodified-Since.';

/**
 * Sends responses: decides 304 and 412, selects the content coding, and limits the memory of large responses that their
 * clients have yet to read.
 */
@Injectable()
export class ResponseWriter {
  readonly #memory: ClientShares;
  /** The fields of all responses of this service. */
  readonly #fields: Fields;
  readonly #lines: string;
  readonly #firstFields: Fields;

  constructor(@Inject(SETTINGS) { maxBodyBytes, publicUrl }: Pick<Settings, 'maxBodyBytes' | 'publicUrl'>) {
    this.#memory = new ClientShares(Math.max(LARGEST_RESPONSES * maxBodyBytes, MIN_MEMORY_BYTES));
    // Only the operator knows that the service is reachable by https permanently, and declares this by an https
    // PUBLIC_URL. Subdomains are not included because the service does not control them.
    this.#fields = publicUrl?.startsWith('https:') ? STRICT_TRANSPORT : {};
    this.#lines = linesOf(this.#fields);
    this.#firstFields = { ...SECURITY_FIELDS, ...this.#fields };
  }

  /**
   * Sends a response. A body that is large or a stream is sent at the pace of its client.
   *
   * @throws PreconditionFailed
   * @throws InvalidRequest
   * @throws TooManyResponses
   * @throws ClientGone
   * @throws what the stream throws; if a part of it was sent, the connection must be closed, because the response must
   *   not look complete
   */
  async send(request: Request, response: Response, sent: ApiResponse): Promise<void> {
    const { body } = sent;
    try {
      const coding = codingOf(request, sent);
      const isRead = sent.status === 200 && (request.method === 'GET' || request.method === 'HEAD');
      if (isRead && isNotModified(request, sent, coding)) {
        this.#end(request, response, sent.notModified(coding));
      } else if (isStream(body) || (typeof body === 'string' && sent.bytes! > LARGE_BYTES)) {
        // Buffers are cached assets; only strings count against the memory.
        await this.#sendSlowly(request, response, sent, coding);
      } else {
        const encoded = coding === 'identity' ? (body ?? '') : await sent.compress(coding);
        const bytes = coding === 'identity' ? sent.bytes! : encoded.length;
        this.#end(request, response, sent.head(coding, bytes), encoded, bytes);
      }
    } finally {
      if (isStream(body)) await body.close?.();
    }
  }

  /** Sets the fields of every response, before anything else may respond or set fields. */
  setFirstFields({ context }: Request, response: Response): void {
    for (const name of Object.keys(this.#firstFields)) response.setHeader(name, this.#firstFields[name]!);
    response.setHeader('X-Request-Id', context.id);
  }

  async #sendSlowly(
    request: Request,
    response: Response,
    sent: ApiResponse,
    coding: ResponseCoding,
  ): Promise<void> {
    const { body } = sent;
    const length = coding === 'identity' ? sent.bytes : undefined;
    const head = sent.head(coding, length);
    if (request.method === 'HEAD') {
      this.#end(request, response, head);
      return;
    }
    const reader = readerOf(request, response);
    reader.signal.throwIfAborted();
    const { context } = request;
    const chunks = isStream(body) ? body.chunks()[Symbol.asyncIterator]() : [body as string].values();
    const share = this.#memory.open(reader);
    const heldBytes = isStream(body) ? body.heldBytes : sent.bytes;
    try {
      // From here on, the response counts instead of the request's body.
      if (heldBytes !== undefined) context.bodyShare?.release();
      // A read without room is refused. The response to a write is always sent, because the write is done.
      if (!share.resize(heldBytes ?? 0) && request.method === 'GET') throw new TooManyResponses();
      // An error before the first byte can still be sent as a problem.
      const first = await chunks.next();
      response.writeHead(head.status, this.#allFields(context, response, head));
      context.sentBytes = length;
      await writeBody(reader, response, resumed(first, chunks), coding);
    } finally {
      share.release();
      await chunks.return?.();
    }
  }

  #end(request: Request, response: Response, head: Head, body: string | Buffer = '', bytes = 0): void {
    const { context } = request;
    const isWithBody = request.method !== 'HEAD';
    const sent = isWithBody ? body : '';
    if (isWithBody) context.sentBytes = bytes;
    const isAscii = typeof sent === 'string' && sent.length === (isWithBody ? bytes : 0);
    const lines = `X-Request-Id: ${context.id}\r\n${this.#lines}`;
    if (sendPrebuilt(response, head, lines, sent, isAscii)) return;
    response.writeHead(head.status, this.#allFields(context, response, head)).end(sent);
  }

  /** All fields, where `writeHead` sends them. */
  #allFields({ id }: RequestContext, response: Response, { fields }: Head): Record<string, string> {
    const all: Record<string, string> = Object.assign({}, fields, { 'X-Request-Id': id }, this.#fields);
    // `writeHead` replaces fields that were set before, so both Vary lists are merged (CORS sets one).
    const vary = [fields['Vary'], response.getHeader('Vary')].filter((each) => each !== undefined).join(', ');
    if (vary !== '') all['Vary'] = vary;
    // Node's Date may be a second old, and so earlier than Last-Modified.
    if ('Last-Modified' in fields) all['Date'] = new Date().toUTCString();
    return all;
  }
}

/** Without an entity tag, a stream reports events, each of which must be visible at once. */
function codingOf({ headers }: Request, { bytes, entityTag }: ApiResponse): ResponseCoding {
  const isCompressed = bytes === undefined ? entityTag !== undefined : bytes > MIN_COMPRESSED_BYTES;
  return isCompressed ? negotiateCoding(headers['accept-encoding']) : 'identity';
}

/**
 * Evaluates the conditions of a read (RFC 9110 §13.2.2): whether the client already has the response. A date counts only
 * without an entity tag.
 *
 * @throws PreconditionFailed
 * @throws InvalidRequest
 */
function isNotModified({ headers }: Request, sent: ApiResponse, coding: ResponseCoding): boolean {
  const { entityTag, lastModified } = sent;
  const { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince } = headers;
  if (entityTag !== undefined && (ifMatch ?? ifUnmodifiedSince) !== undefined) {
    const detail = ifMatch === undefined ? CHANGED_SINCE : NOT_WHAT_IF_MATCH_NAMES;
    const fields = { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince };
    new Preconditions(fields).assertMet(entityTag, lastModified, detail);
  }
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  if (ifNoneMatch !== undefined) {
    const etag = sent.etag(coding);
    return etag !== undefined && evaluateIfNoneMatch(ifNoneMatch, etag);
  }
  return ifModifiedSince !== undefined && lastModified?.isNotModifiedSince(ifModifiedSince) === true;
}

async function* resumed(
  first: IteratorResult<string>,
  chunks: AsyncIterator<string> | Iterator<string>,
): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await chunks.next()) yield next.value;
}
