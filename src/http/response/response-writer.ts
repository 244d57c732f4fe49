import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { ClientQuota, type Release } from '../../limits/index.js';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { Preconditions } from '../../problem-details/index.js';
import { negotiateCoding, type ResponseCoding } from '../protocol/accept.js';
import { evaluateIfNoneMatch } from '../protocol/entity-tags.js';
import { isNotModifiedSince } from '../protocol/last-modified.js';
import { ClientGone } from '../client/client-gone.js';
import { VARY } from '../routes/route-table.js';
import type { ApiResponse } from './api-response.js';
import { responseOf } from './handler-result.js';
import { type Fields, type Head, linesOf, sendPrebuilt } from './prebuilt-response.js';
import { writeStream } from './stream-writer.js';
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

/**
 * Sends responses: decides 304 and 412, selects the content coding, and limits the memory of large responses that their
 * clients have yet to read.
 */
@Injectable()
export class ResponseWriter {
  readonly #memory: ClientQuota;
  /** The fields of all responses of this service. A handler may set others, also in their place. */
  readonly #firstFields: Fields;
  readonly #strictTransport: string;

  constructor(@Inject(SETTINGS) { maxBodyBytes, publicUrl }: Pick<Settings, 'maxBodyBytes' | 'publicUrl'>) {
    this.#memory = new ClientQuota(Math.max(LARGEST_RESPONSES * maxBodyBytes, MIN_MEMORY_BYTES));
    // Only the operator knows that the service is reachable by https permanently, and declares this by an https
    // PUBLIC_URL. Subdomains are not included because the service does not control them.
    const fields = publicUrl?.startsWith('https:') ? STRICT_TRANSPORT : {};
    this.#firstFields = { ...SECURITY_FIELDS, ...fields };
    this.#strictTransport = linesOf(fields);
  }

  /**
   * Sends what a handler returned. The requests that wait for a cacheable response get it, too.
   *
   * @returns undefined for what Nest sends itself
   */
  reply(
    request: Request,
    response: Response,
    returned: unknown,
    statusCode: number,
  ): Promise<void> | undefined {
    const sent = responseOf(returned, statusCode, request);
    if (!sent) return undefined;
    const { operation, cacheEntry } = request.context;
    if (sent.status !== 204) sent.vary ??= operation?.vary ?? VARY;
    cacheEntry?.finish(sent);
    return this.send(request, response, sent);
  }

  /**
   * Sends a response, a stream at the pace of its client.
   *
   * @throws PreconditionFailed, InvalidRequest, TooBusy, or ClientGone
   * @throws what the stream throws; if a part of it was sent, the connection must be reset, because the response must
   *   not look complete
   */
  async send(request: Request, response: Response, sent: ApiResponse): Promise<void> {
    const { stream, body = '' } = sent;
    let release: Release | undefined;
    try {
      // Without an entity tag, a stream reports events, each of which must be visible at once.
      const isCompressed =
        sent.bytes === undefined ? sent.entityTag !== undefined : sent.bytes > MIN_COMPRESSED_BYTES;
      const coding = isCompressed ? negotiateCoding(request.headers['accept-encoding']) : 'identity';
      const isRead = sent.status === 200 && (request.method === 'GET' || request.method === 'HEAD');
      if (isRead && isNotModified(request, sent, coding)) {
        this.#end(request, response, sent.notModifiedHead(coding));
      } else if (stream && request.method === 'HEAD') {
        this.#end(request, response, sent.head(coding));
      } else if (stream) {
        const { signal } = request.context;
        signal.throwIfAborted();
        if (isRead && stream.heldBytes !== undefined)
          release = this.#hold(request, response, stream.heldBytes);
        const writeHead = (): unknown => this.#writeHead(response, sent.head(coding));
        await writeStream(signal, response, stream.chunks(request.context.client.name), coding, writeHead);
      } else {
        // Buffers are cached assets. The response to a write is always sent, because the write is done.
        const isLarge = typeof body === 'string' && sent.bytes! > LARGE_BYTES;
        if (isLarge && isRead) release = this.#hold(request, response, sent.bytes!);
        const encoded = coding === 'identity' ? body : await sent.compress(coding);
        const bytes = coding === 'identity' ? sent.bytes! : encoded.length;
        this.#end(request, response, sent.head(coding, bytes), encoded, bytes);
      }
    } finally {
      release?.();
      await stream?.close?.();
    }
  }

  /** Sets the fields of every response, where nothing else has set them. The server calls it before each head. */
  setFirstFields(response: Response): void {
    for (const name of Object.keys(this.#firstFields)) {
      if (!response.hasHeader(name)) response.setHeader(name, this.#firstFields[name]!);
    }
    // Middleware of `app.use()` responds before there is a context.
    const id = 'context' in response.req ? response.req.context.id : randomUUID();
    if (!response.hasHeader('X-Request-Id')) response.setHeader('X-Request-Id', id);
  }

  /** Counts bytes until the client has read them or has gone, but not before the release. @throws TooBusy */
  #hold(request: Request, response: Response, bytes: number): Release {
    if (response.destroyed) throw new ClientGone();
    const client = request.context.client.name;
    this.#memory.takeNow(client, bytes);
    const give = (): void => this.#memory.give(client, bytes);
    return () => void (response.destroyed ? give() : response.once('close', give));
  }

  #end(request: Request, response: Response, head: Head, body: string | Buffer = '', bytes = 0): void {
    const isWithBody = request.method !== 'HEAD';
    const sent = isWithBody ? body : '';
    const lines = `X-Request-Id: ${request.context.id}\r\n${this.#strictTransport}`;
    if (sendPrebuilt(response, head, lines, sent, isWithBody ? bytes : 0)) return;
    this.#writeHead(response, head).end(sent);
  }

  #writeHead(response: Response, { status, fields }: Head): Response {
    const all: Record<string, string> = { ...fields };
    // `writeHead` replaces fields that were set before, so both Vary lists are merged (CORS sets one).
    const vary = [fields['Vary'], response.getHeader('Vary')].filter((each) => each !== undefined).join(', ');
    if (vary !== '') all['Vary'] = vary;
    // Node's Date may be a second old, and so earlier than Last-Modified.
    if ('Last-Modified' in fields) all['Date'] = new Date().toUTCString();
    return response.writeHead(status, all);
  }
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
  const { 'if-match': match, 'if-unmodified-since': since } = headers;
  if (entityTag !== undefined && (match ?? since) !== undefined)
    new Preconditions({ 'if-match': match, 'if-unmodified-since': since }).assertMet(entityTag, lastModified);
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  if (ifNoneMatch !== undefined) {
    const etag = sent.etag(coding);
    return etag !== undefined && evaluateIfNoneMatch(ifNoneMatch, etag);
  }
  if (ifModifiedSince === undefined || lastModified === undefined) return false;
  return isNotModifiedSince(lastModified, ifModifiedSince);
}
