import type { IncomingMessage } from 'node:http';
import { BodyTooLarge, TooManyBodies } from '../../problem-details/problems.js';
import { BodyReading, type BodyReadingOptions } from './body-reading.js';
import { ByteCollector } from './byte-collector.js';
import { ClientGone } from './client-gone.js';
import type { ContentCoding } from './inflation.js';

export interface BodyLimits extends Pick<BodyReadingOptions, 'idleTimeoutMs' | 'memory' | 'reading'> {
  /** Holds for the bytes as sent and for the inflated ones. */
  readonly maxBodyBytes: number;
  /** Sees the bytes of the body, inflated, as they come. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

/**
 * Reads the body of a request to its end, inflated.
 *
 * After a refusal what is left of the body is discarded, so that the connection can serve the next request.
 *
 * @param codings the content codings in the order they were applied (RFC 9110 §8.4)
 * @param onReadStart called just before the first byte is read; not called when the body is refused unread
 * @throws BodyTooLarge
 * @throws InflatesTooMuch
 * @throws RequestTimedOut
 * @throws TooManyBodies
 * @throws InvalidRequest when the compressed data is corrupt or cut off
 * @throws ClientGone
 */
export async function readBodyBytes(
  request: IncomingMessage,
  codings: readonly ContentCoding[],
  { maxBodyBytes, onBytes, ...limits }: BodyLimits,
  onReadStart?: () => void,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new BodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw new ClientGone();
  onReadStart?.();
  return new Promise((resolve, reject) => {
    const body = new ByteCollector();
    const options = { ...limits, codings, maxSentBytes: maxBodyBytes };
    const reading = new BodyReading(request, options, {
      onChunk: (chunk) => {
        body.add(chunk);
        if (body.length > maxBodyBytes) return reading.fail(new BodyTooLarge(maxBodyBytes));
        if (limits.memory?.take(chunk.length) === false) return reading.fail(new TooManyBodies());
        onBytes?.(chunk);
      },
      onComplete: () => resolve(body.toBuffer()),
      onFailed: reject,
    });
  });
}

/** Editors on Windows put one before UTF-8 (RFC 8259 §8.1 lets a reader ignore it). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}
