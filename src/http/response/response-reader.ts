import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ResponseCoding } from '../protocol/accept.js';
import { ClientGone } from '../request/request-body.js';
import { clientOfRequest } from '../request/client-address.js';
import { MODEST_BYTES_PER_SECOND, type Reader, SLOW_BYTES_PER_SECOND } from '../request/client-shares.js';
import { fromRequest } from '../request/handler-arguments.js';
import { slicesOf } from '../request/slices.js';

/** The minimum average rate at which a client must read a response, after the slow start. */
const MIN_BYTES_PER_SECOND = 4_096;
const SLOW_START_MS = 60_000;

/** Pauses up to this length do not count. */
const GRACE_MS = 1_000;

/** Measures how fast the client reads a response. The time to build the response does not count. */
export class ReaderPace {
  #allowedMs = SLOW_START_MS;
  #waitingSince: number | undefined;
  /** How far it is behind each rate, in milliseconds. Its credit is at most the grace period. */
  readonly #lags = new Map([SLOW_BYTES_PER_SECOND, MODEST_BYTES_PER_SECOND].map((rate) => [rate, -GRACE_MS]));

  /**
   * Passes pieces on and reports a client whose average rate is too low: the source of the pieces, such as a snapshot
   * of the database, must not be held for days.
   *
   * @param onTooSlow called once, while the client has not yet taken a piece
   */
  async *measure(
    pieces: AsyncIterable<Buffer>,
    onTooSlow: () => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of pieces) {
      this.#allowedMs += (piece.length / MIN_BYTES_PER_SECOND) * 1_000;
      for (const [rate, ms] of this.#lags) {
        this.#lags.set(rate, Math.max(ms, -GRACE_MS) - (piece.length / rate) * 1_000);
      }
      this.#waitingSince = performance.now();
      const timer = setTimeout(onTooSlow, this.#allowedMs);
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
        const waitedMs = this.#waitedMs();
        this.#allowedMs -= waitedMs;
        for (const [rate, ms] of this.#lags) this.#lags.set(rate, ms + waitedMs);
        this.#waitingSince = undefined;
      }
    }
  }

  /** How far the reader is behind one of the rates above, in milliseconds. It grows with time and slowness. */
  lagMs(bytesPerSecond: number): number {
    return this.#lags.get(bytesPerSecond)! + this.#waitedMs();
  }

  #waitedMs(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
  }
}

/** The client of a response that holds bounded resources while it is built and read. */
export class ResponseReader implements Reader {
  readonly client: string;
  readonly pace = new ReaderPace();
  readonly end: () => void;
  readonly #gone = new AbortController();

  constructor(request: Request, response: Response) {
    // A response that waits for earlier ones on its connection has no socket yet, and never emits 'close' when the
    // connection breaks.
    const socket = response.socket ?? request.socket;
    this.client = clientOfRequest(request);
    this.end = () => void socket.destroy();
    const onClose = (): void => {
      socket.off('end', this.end).off('close', onClose);
      response.off('close', onClose);
      if (!response.writableFinished) this.#gone.abort(new ClientGone());
    };
    // Node stops writing to a client that has closed its side, and does not notify the response.
    socket.once('end', this.end).once('close', onClose);
    response.once('close', onClose);
    if (socket.destroyed || response.destroyed) onClose();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  lagMs(bytesPerSecond: number): number {
    return this.pace.lagMs(bytesPerSecond);
  }
}

const readers = new WeakMap<Request, ResponseReader>();

/** The reader of a request's response, always the same. @param response required before the request reaches Express */
export function readerOf(request: Request, response: Response = request.res!): ResponseReader {
  let reader = readers.get(request);
  if (!reader) {
    reader = new ResponseReader(request, response);
    readers.set(request, reader);
  }
  return reader;
}

/**
 * Returns a function that gives the `Reader` of a slow or streamed response. Calling it stops other requests from
 * waiting for this response, because its client may wait for its share or disconnect.
 */
export const StreamReader = fromRequest((request) => () => {
  request.context.cacheSlot?.stopSharing();
  return readerOf(request);
});

/** Streams are compressed while they are sent, so both codings use fast settings. */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 2;

const compressors = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: () => createGzip({ level: GZIP_LEVEL }),
};

/** Small, so that it measures the client's speed and occupies a compressor thread only briefly. */
const PIECE_CODE_UNITS = 32_768;

/**
 * Writes a body at the speed of the client. A client that is too slow is disconnected.
 *
 * @throws ClientGone
 * @throws what the texts throw
 */
export async function writeBody(
  reader: ResponseReader,
  response: Response,
  texts: AsyncIterable<string> | Iterable<string>,
  coding: ResponseCoding,
): Promise<void> {
  const { signal } = reader;
  const pieces = reader.pace.measure(piecesOf(texts), reader.end);
  // Byte mode, because the stream's backpressure counts bytes; a count of pieces would mean nothing.
  const body = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  // An error closes the response, which then looks like a disconnected client. The first event counts.
  let fault: Error | undefined;
  body.once('error', (error) => {
    if (!signal.aborted) fault = error;
  });
  try {
    await (coding === 'identity'
      ? pipeline(body, response, { signal })
      : pipeline(body, flushingFirst(compressors[coding]()), response, { signal }));
  } catch (error) {
    if (!fault && (signal.aborted || isPrematureClose(error))) throw new ClientGone();
    throw error;
  }
}

async function* piecesOf(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) {
    for (const piece of slicesOf(text, PIECE_CODE_UNITS)) yield Buffer.from(piece);
  }
}

/** A compressor buffers its first bytes; flushing shows the client early that data arrives. */
function flushingFirst<Compressor extends ReturnType<(typeof compressors)['br' | 'gzip']>>(
  compressor: Compressor,
): Compressor {
  compressor.once('pipe', (body: Readable) => body.once('data', () => compressor.flush()));
  return compressor;
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
