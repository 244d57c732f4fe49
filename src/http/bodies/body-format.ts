import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from 'node:zlib';
import { UnsupportedMediaType } from '../../problem-details/index.js';
import { parseMediaType } from '../protocol/media-type.js';

export type Decoder = Transform & Zlib;

/** The format of a body, from the request's header fields. */
export interface BodyFormat {
  /** In lower case, without parameters. */
  readonly type: string;
  /** Undefined when the body has no content coding. */
  readonly createDecoder: ((options: { chunkSize: number }) => Decoder) | undefined;
}

const DECODERS: Readonly<Record<string, BodyFormat['createDecoder']>> = {
  '': undefined,
  identity: undefined,
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
const ACCEPT_ENCODING = 'gzip, deflate, br';

/**
 * Checks Content-Type, charset and Content-Encoding before a byte is read.
 *
 * @param understood the media types that the operation accepts
 * @returns undefined when there is no body
 * @throws UnsupportedMediaType
 */
export function readBodyFormat(
  { headers }: IncomingMessage,
  understood: readonly string[],
): BodyFormat | undefined {
  const { 'content-type': contentType, 'content-length': length = '0' } = headers;
  // A Content-Type with an empty body announces an empty document, not a missing one.
  const isAnnounced = headers['content-length'] !== undefined && contentType !== undefined;
  if (headers['transfer-encoding'] === undefined && length === '0' && !isAnnounced) return undefined;
  if (contentType === undefined) throw new UnsupportedMediaType('A body needs a Content-Type.', understood);
  const { type, parameters } = parseMediaType(contentType);
  if (!understood.includes(type)) {
    throw new UnsupportedMediaType(`Understood here: ${understood.join(', ')}.`, understood);
  }
  if (!/^utf-?8$/i.test(parameters['charset'] ?? 'utf-8')) {
    throw new UnsupportedMediaType('Only the charset UTF-8 is supported.', understood);
  }
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!Object.hasOwn(DECODERS, coding)) {
    const detail = `Supported in Content-Encoding: one of ${ACCEPT_ENCODING}.`;
    // The field shows that the content coding, not the media type, is at fault (RFC 9110 §15.5.16).
    throw new UnsupportedMediaType(detail, understood, { 'Accept-Encoding': ACCEPT_ENCODING });
  }
  return { type, createDecoder: DECODERS[coding] };
}
