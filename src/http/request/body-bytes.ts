import type { IncomingMessage } from 'node:http';
import { BodyTooLarge, TooManyBodies, TooManyImports } from '../../problem-details/problems.js';
import type { Share } from '../pipeline/fair-shares.js';
import type { MemoryLease } from './body-memory.js';
import { type BodyEvents, BodyReading, type BodyReadingOptions, ClientGone } from './body-reading.js';
import type { RequestCoding } from './inflation.js';
import { ByteCollector } from './lines.js';

/**
 * Reads and inflates the complete body of a request. `maxBodyBytes` limits the inflated bytes as well.
 *
 * @throws BodyTooLarge
 * @throws as {@link streamBody} does
 */
export async function readBodyBytes(request: IncomingMessage, options: BodyStreamOptions): Promise<Buffer> {
  const { maxBodyBytes, onReadStart } = options;
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new BodyTooLarge(maxBodyBytes);
  if (request.destroyed) throw new ClientGone();
  onReadStart?.();
  return new Promise((resolve, reject) => new WholeBody(request, options, resolve, reject));
}

/** Collects the complete body of a request. (With {@link streamBody}, storing a small post takes a quarter more time.) */
class WholeBody implements BodyEvents {
  readonly #body = new ByteCollector();
  readonly #reading: BodyReading;

  constructor(
    request: IncomingMessage,
    private readonly options: BodyStreamOptions,
    readonly onFinished: (body: Buffer) => void,
    readonly onFailed: (reason: Error) => void,
  ) {
    this.#reading = new BodyReading(request, options.codings, options, this);
  }

  onChunk(chunk: Buffer): void {
    const { maxBodyBytes, memory, onBytes } = this.options;
    this.#body.add(chunk);
    if (this.#body.length > maxBodyBytes) this.#reading.fail(new BodyTooLarge(maxBodyBytes));
    else if (memory?.take(chunk.length) === false) this.#reading.fail(new TooManyBodies());
    else onBytes?.(chunk);
  }

  onComplete(): void {
    this.onFinished(this.#body.toBuffer());
  }
}

/** Removes a byte order mark, which editors on Windows put before UTF-8 (RFC 8259 §8.1 allows ignoring it). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

export interface BodyStreamOptions extends BodyReadingOptions {
  /** In the order they were applied (RFC 9110 §8.4). */
  readonly codings: readonly RequestCoding[];
  /** Counts the concurrent body streams. */
  readonly share?: Share;
  /** Called just before the first byte is read: the moment for `100 Continue`. */
  readonly onReadStart?: (() => void) | undefined;
  /** Called with each inflated chunk as it is read. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

/** A request body that the operation reads as a stream. */
export class RequestBodyStream implements AsyncIterable<Buffer> {
  readonly #clientGone = new AbortController();

  /**
   * @param mediaType in lower case, without parameters
   * @param share counts the concurrent body streams
   * @param memory the lease for the parts of the body that the reader holds
   */
  constructor(
    readonly mediaType: string,
    private readonly chunks: AsyncGenerator<Buffer>,
    private readonly share: Share,
    readonly memory: MemoryLease,
  ) {}

  /** Aborted with ClientGone when the client disconnects. */
  get clientGone(): AbortSignal {
    return this.#clientGone.signal;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    return this.chunks;
  }

  /** Call when the response is complete or the client has disconnected. */
  close(): void {
    this.share.release();
    this.#clientGone.abort(new ClientGone());
  }
}

/**
 * Streams the inflated body of a request at the speed of its reader. After a failure, or when the reader stops, the
 * rest is discarded so that the response can be sent.
 *
 * @throws InflatesTooMuch
 * @throws RequestTimedOut
 * @throws TooManyBodies
 * @throws TooManyImports
 * @throws ClientGone
 * @throws InvalidRequest when the compressed data is corrupt or cut off
 */
export async function* streamBody(
  request: IncomingMessage,
  { codings, share, onBytes, onReadStart, ...options }: BodyStreamOptions,
): AsyncGenerator<Buffer> {
  if (request.destroyed) throw new ClientGone();
  onReadStart?.();
  const chunks: Buffer[] = [];
  let isComplete = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  // An async iterator over the request itself would destroy it, and remove its socket, when it ends with an error
  // (`destroyer` in Node's lib/internal/streams/destroy.js).
  const reading = new BodyReading(request, codings, options, {
    onChunk: (chunk) => {
      chunks.push(chunk);
      reading.pause();
      wake?.();
    },
    onComplete: () => {
      isComplete = true;
      wake?.();
    },
    onFailed: (reason) => {
      failure = reason;
      wake?.();
    },
  });
  if (share) share.end = () => reading.fail(new TooManyImports());
  try {
    for (;;) {
      if (failure) throw failure;
      const chunk = chunks.shift();
      if (chunk) {
        onBytes?.(chunk);
        yield chunk;
      } else if (isComplete) {
        return;
      } else {
        reading.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    if (share) share.end = undefined;
    reading.fail(new ClientGone());
  }
}
