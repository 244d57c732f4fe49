import { StreamableFile } from '@nestjs/common';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ResponseCoding } from '../protocol/accept.js';
import { tagInCoding } from '../protocol/entity-tags.js';
import { type LastModified, showLastModified } from '../protocol/last-modified.js';
import type { Head } from './prebuilt-response.js';
import { SECURITY_FIELDS } from './security-fields.js';

/** Of 11: 4 compresses JSON about as well as gzip 6 in half its time. A file of our pages is compressed only once. */
const brotliQuality = (body: string | Buffer): number => (typeof body === 'string' ? 4 : 7);

const compressors = {
  br: (body: string | Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality(body) } }),
  gzip: (body: string | Buffer) => promisify(gzip)(body),
};

type Compression = Exclude<ResponseCoding, 'identity'>;
type Heads = Partial<Record<ResponseCoding, Head>>;

/** A body of any length, which is never completely in memory. It is closed exactly once, whether or not it was read. */
export interface StreamedBody {
  chunks(client: string): AsyncIterable<string | Buffer>;
  /** What it holds in memory until its last chunk is read; undefined when it counts that itself. */
  readonly heldBytes?: number;
  close?(): Promise<void>;
}

/** What a response is made of; a status of 200 by default. */
export type ResponseParts = Partial<
  Pick<ApiResponse, 'status' | 'headers' | 'entityTag' | 'lastModified' | 'isCurrent'>
> & { readonly body?: string | Buffer | StreamedBody | undefined };

/**
 * A response, without the parts that depend on the request: its id, the content coding, and whether the client has it
 * already. Unless its body is a stream, it can be sent any number of times. A handler may return it.
 */
export class ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `Vary`. A field of its own: adding a key to `headers` later gives each response its own object shape. */
  vary: string | undefined;
  /** The opaque part of a strong entity tag of the uncompressed body. A stream without one is not compressed. */
  readonly entityTag: string | undefined;
  readonly lastModified: LastModified | undefined;
  /** Undefined for a stream, too. */
  readonly body: string | Buffer | undefined;
  readonly stream: StreamedBody | undefined;
  /** Asks the database whether the response, when it is cached, still has the current state. */
  readonly isCurrent: (() => Promise<boolean>) | undefined;
  /** The body in the content codings that were requested. */
  readonly #compressed: Partial<Record<Compression, Promise<Buffer>>> = {};
  /** The length of the uncompressed body; undefined for a stream. */
  readonly bytes: number | undefined;
  readonly #heads: Heads = {};
  readonly #notModifiedHeads: Heads = {};

  constructor(parts: ResponseParts) {
    this.status = parts.status ?? 200;
    this.headers = parts.headers ?? {};
    this.vary = this.headers['Vary'];
    this.entityTag = parts.entityTag;
    this.lastModified = parts.lastModified;
    if (typeof parts.body === 'object' && 'chunks' in parts.body) this.stream = parts.body;
    else this.body = parts.body;
    this.isCurrent = parts.isCurrent;
    this.bytes = this.stream ? undefined : Buffer.byteLength(this.body ?? '');
  }

  /** The entity tag in a content coding. */
  etag(coding: ResponseCoding): string | undefined {
    return this.entityTag === undefined ? undefined : `"${tagInCoding(this.entityTag, coding)}"`;
  }

  /** The body of a response that is no stream, compressed once, however many requests wait for it. A failure is not kept. */
  compress(coding: Compression): Promise<Buffer> {
    return (this.#compressed[coding] ??= compressors[coding](this.body!).catch((error: unknown) => {
      delete this.#compressed[coding];
      throw error;
    }));
  }

  /**
   * The head of the response, kept while its `Last-Modified` stays the same.
   *
   * @param length of the encoded body, always the same for a coding; undefined when it is sent in chunks
   */
  head(coding: ResponseCoding, length?: number): Head {
    const kept = this.#heads[coding];
    if (kept && Date.now() < kept.untilMs) return kept;
    const head = this.#headOf(coding, this.status);
    if (coding !== 'identity') head.fields['Content-Encoding'] = coding;
    if (length !== undefined && this.body !== undefined) head.fields['Content-Length'] = String(length);
    return (this.#heads[coding] = head);
  }

  /** The head of a 304, without the fields that describe the body. Kept as the other one. */
  notModifiedHead(coding: ResponseCoding): Head {
    const kept = this.#notModifiedHeads[coding];
    if (kept && Date.now() < kept.untilMs) return kept;
    const head = this.#headOf(coding, 304);
    delete head.fields['Content-Type'];
    return (this.#notModifiedHeads[coding] = head);
  }

  /** The fields that both have. */
  #headOf(coding: ResponseCoding, status: number) {
    // Not a literal with spreads: V8 gives each such object a shape of its own, which takes 10 times as long.
    const fields: Record<string, string> = Object.assign({}, SECURITY_FIELDS, this.headers);
    const etag = this.etag(coding);
    if (this.vary !== undefined) fields['Vary'] = this.vary;
    if (etag !== undefined) fields['ETag'] = etag;
    const shown = this.lastModified && showLastModified(this.lastModified);
    if (shown) fields['Last-Modified'] = shown.field;
    return { status, fields, untilMs: shown?.untilMs ?? Infinity };
  }
}
// Interceptors for all handlers, such as Nest's ClassSerializerInterceptor, do not change a StreamableFile.
Object.setPrototypeOf(ApiResponse.prototype, StreamableFile.prototype);

/** The opaque part of an entity tag for a body without a version. */
export function contentEntityTag(content: string | Buffer): string {
  return hash('sha1', content, 'base64url');
}
