import type { IncomingMessage } from 'node:http';
import { TooManyImports } from '../../problem-details/problems.js';
import type { Share } from '../pipeline/fair-shares.js';
import type { MemoryLease } from './body-memory.js';
import { BodyReading, type BodyReadingOptions, ClientGone } from './body-reading.js';

export interface BodyStreamOptions extends Omit<BodyReadingOptions, 'maxSentBytes'> {
  /** Counts those that read a body as a stream. */
  readonly share: Share;
  /** Ends the reading with its reason. */
  readonly signal: AbortSignal;
  /** Called just before the first byte is read: the moment for `100 Continue`. */
  readonly onReadStart: () => void;
  /** Sees the bytes, inflated, as they are read. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

/** The body of a request that is read by the operation itself, as it comes. */
export class RequestBodyStream implements AsyncIterable<Buffer> {
  readonly #clientGone = new AbortController();

  /**
   * @param mediaType in lower case, without parameters
   * @param share counts those that read a body as a stream
   * @param memory where the reader takes its memory from for what it holds of the body
   */
  constructor(
    readonly mediaType: string,
    private readonly chunks: AsyncGenerator<Buffer>,
    private readonly share: Share,
    readonly memory: MemoryLease,
  ) {}

  /** Aborted with ClientGone when the client has gone. */
  get clientGone(): AbortSignal {
    return this.#clientGone.signal;
  }

  [Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    return this.chunks;
  }

  /** To be called when the response is complete, or the client has gone. */
  close(): void {
    this.share.release();
    this.#clientGone.abort(new ClientGone());
  }
}

/**
 * The body of a request as it comes, inflated, no faster than it is taken. After a failure, or when the reader stops, the
 * rest of it is discarded, so that the response can be sent.
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
  { share, signal, onBytes, onReadStart, ...options }: BodyStreamOptions,
): AsyncGenerator<Buffer> {
  if (request.destroyed) throw new ClientGone();
  signal.throwIfAborted();
  onReadStart();
  const chunks: Buffer[] = [];
  let isComplete = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  // An async iterator over the request itself would destroy it, and remove its socket, when it ends with an error
  // (`destroyer` in Node's lib/internal/streams/destroy.js).
  const reading = new BodyReading(
    request,
    { ...options, maxSentBytes: Infinity },
    {
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
    },
  );
  const onAbort = (): void => reading.fail(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  share.end = () => reading.fail(new TooManyImports());
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
    signal.removeEventListener('abort', onAbort);
    share.end = undefined;
    reading.fail(new ClientGone());
  }
}
