import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { negotiateCoding } from './accept-encoding.js';
import { evaluateIfNoneMatch } from './preconditions.js';

/** Smaller bodies gain nothing from compression: they fit one packet as they are. */
const MIN_COMPRESSED_BYTES = 1024;
/** Quality 4 of 11 compresses JSON about as well as gzip 6 in half its time. */
const BROTLI_QUALITY = 4;

const compressors = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** The suffixes that {@link sendAnswer} puts behind an entity tag: one for each content coding. */
export const CODING_SUFFIXES = ['-br', '-gzip'] as const;

/** An answer as a controller returns it: everything but what depends on the connection. */
export interface AnswerParts {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The opaque part of a strong entity tag of the uncompressed body. */
  readonly entityTag?: string;
  readonly body?: string | Buffer;
}

export class Answer implements AnswerParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly entityTag: string | undefined;
  readonly body: string | Buffer | undefined;

  constructor({ status, headers = {}, entityTag, body }: AnswerParts) {
    this.status = status;
    this.headers = headers;
    this.entityTag = entityTag;
    this.body = body;
  }
}

/** The opaque part of an entity tag for a body that has no version of its own. */
export function contentEntityTag(content: string | Buffer): string {
  return hash('sha1', content, 'base64url');
}

/**
 * Writes an answer: picks the content coding, answers 304 where `If-None-Match` holds (RFC 9110 §13.1.2) and leaves out
 * the body for HEAD.
 */
export async function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const { body, entityTag } = answer;
  if (body === undefined) {
    response.writeHead(answer.status, answer.headers).end();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const coding = bytes > MIN_COMPRESSED_BYTES ? negotiateCoding(request.headers['accept-encoding']) : 'identity';
  const headers: Record<string, string | number> = { ...answer.headers };
  if (entityTag !== undefined) {
    const etag = coding === 'identity' ? `"${entityTag}"` : `"${entityTag}-${coding}"`;
    headers['ETag'] = etag;
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && isRead(request) && answer.status === 200 && evaluateIfNoneMatch(condition, etag)) {
      delete headers['Content-Type'];
      response.writeHead(304, headers).end();
      return;
    }
  }
  let payload = body;
  if (coding === 'identity') {
    headers['Content-Length'] = bytes;
  } else {
    payload = await compressors[coding](typeof body === 'string' ? Buffer.from(body) : body);
    headers['Content-Encoding'] = coding;
    headers['Content-Length'] = payload.length;
  }
  response.writeHead(answer.status, headers);
  response.end(request.method === 'HEAD' ? undefined : payload);
}

function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}
