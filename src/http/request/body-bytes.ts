import type { IncomingMessage } from 'node:http';
import { BodyTooLarge, TooManyBodies } from '../../problem-details/problems.js';
import { type BodyEvents, BodyReading, type BodyReadingOptions, ClientGone } from './body-reading.js';
import type { ContentCoding } from './inflation.js';
import { ByteCollector } from './lines.js';

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
  limits: BodyLimits,
  onReadStart?: () => void,
): Promise<Buffer> {
  const { maxBodyBytes } = limits;
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new BodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw new ClientGone();
  onReadStart?.();
  return new Promise((resolve, reject) => new WholeBody(request, codings, limits, resolve, reject));
}

/**
 * The body of a request, as it is read to its end.
 *
 * It is a class, because V8 may come to allocate object literals in the old generation of the heap: the events of a
 * {@link BodyReading} would keep its request until the next full garbage collection.
 */
class WholeBody implements BodyReadingOptions, BodyEvents {
  readonly maxSentBytes: number;
  readonly idleTimeoutMs: number;
  readonly memory: BodyLimits['memory'];
  readonly reading: BodyLimits['reading'];
  readonly #onBytes: BodyLimits['onBytes'];
  readonly #body = new ByteCollector();
  readonly #bodyReading: BodyReading;

  constructor(
    request: IncomingMessage,
    readonly codings: readonly ContentCoding[],
    { maxBodyBytes, idleTimeoutMs, memory, reading, onBytes }: BodyLimits,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (reason: Error) => void,
  ) {
    this.maxSentBytes = maxBodyBytes;
    this.idleTimeoutMs = idleTimeoutMs;
    this.memory = memory;
    this.reading = reading;
    this.#onBytes = onBytes;
    this.#bodyReading = new BodyReading(request, this, this);
  }

  onChunk(chunk: Buffer): void {
    this.#body.add(chunk);
    if (this.#body.length > this.maxSentBytes) this.#bodyReading.fail(new BodyTooLarge(this.maxSentBytes));
    else if (this.memory?.take(chunk.length) === false) this.#bodyReading.fail(new TooManyBodies());
    else this.#onBytes?.(chunk);
  }

  onComplete(): void {
    this.resolve(this.#body.toBuffer());
  }

  onFailed(reason: Error): void {
    this.reject(reason);
  }
}

/** Editors on Windows put one before UTF-8 (RFC 8259 §8.1 lets a reader ignore it). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}
