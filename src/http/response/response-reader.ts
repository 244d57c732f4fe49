import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ContentCoding } from '../protocol/accept.js';
import { ClientGone } from '../request/body-reading.js';
import { clientOfRequest } from '../request/client-address.js';

/** How slowly a response may be read on average, once there was time to begin. */
const MIN_BYTES_PER_SECOND = 4_096;
const SLOW_START_MS = 60_000;

/** Readers below this rate are ended as soon as another response waits for what they hold: 256 kbit/s. */
export const SLOW_BYTES_PER_SECOND = 32_768;
/** The same for readers of a client that holds more than its fair share. */
export const MODEST_BYTES_PER_SECOND = 1_048_576;
/** A pause of this length is not held against a reader. */
const GRACE_MS = 1_000;

/** By how many milliseconds a reader is behind a rate; negative while it is ahead. Earlier speed counts for no more than the grace. */
class Lag {
  #ms = -GRACE_MS;

  constructor(readonly bytesPerSecond: number) {}

  get ms(): number {
    return this.#ms;
  }

  addPiece(bytes: number): void {
    this.#ms = Math.max(this.#ms, -GRACE_MS) - (bytes / this.bytesPerSecond) * 1_000;
  }

  addWait(ms: number): void {
    this.#ms += ms;
  }
}

/** Measures how fast the client of a response reads it. The time that it takes to make the response is not the client's. */
export class ReaderPace {
  #allowedMs = SLOW_START_MS;
  #waitingSince: number | undefined;
  readonly #lags = [new Lag(SLOW_BYTES_PER_SECOND), new Lag(MODEST_BYTES_PER_SECOND)];

  /**
   * Passes pieces on, and reports a client that reads them too slowly on average: what they are made from, such as a
   * snapshot of the database, must not be held for days.
   *
   * @param onTooSlow called once, while the client has yet to take a piece
   */
  async *measure(
    pieces: AsyncIterable<Buffer>,
    onTooSlow: () => void,
  ): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of pieces) {
      this.#allowedMs += (piece.length / MIN_BYTES_PER_SECOND) * 1_000;
      for (const lag of this.#lags) lag.addPiece(piece.length);
      this.#waitingSince = performance.now();
      const timer = setTimeout(onTooSlow, this.#allowedMs);
      try {
        yield piece;
      } finally {
        clearTimeout(timer);
        const waitedMs = this.#waitedMs();
        this.#allowedMs -= waitedMs;
        for (const lag of this.#lags) lag.addWait(waitedMs);
        this.#waitingSince = undefined;
      }
    }
  }

  /** By how many milliseconds the reader is behind one of the rates above. It grows with the time and with the slowness. */
  lagMs(bytesPerSecond: number): number {
    return this.#lags.find((lag) => lag.bytesPerSecond === bytesPerSecond)!.ms + this.#waitedMs();
  }

  #waitedMs(): number {
    return this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
  }
}

/** The client of a response that holds bounded resources while it is made and read. */
export interface Reader {
  /** Names the client: its token, or its address. */
  readonly client: string;
  /** Aborted with {@link ClientGone} when the client leaves before the response is complete. */
  readonly signal: AbortSignal;
  /** By how many milliseconds it is behind the rate. */
  lagMs(bytesPerSecond: number): number;
  /** Breaks the connection. */
  end(): void;
}

export class ResponseReader implements Reader {
  readonly client: string;
  readonly pace = new ReaderPace();
  /** Breaks the connection. */
  readonly end: () => void;
  readonly #gone = new AbortController();

  constructor(request: Request, response: Response) {
    // A response that waits for earlier ones of its connection has no socket yet, and never emits 'close' when that breaks.
    const socket = response.socket ?? request.socket;
    this.client = clientOfRequest(request);
    this.end = () => void socket.destroy();
    const onClose = (): void => {
      socket.off('end', this.end).off('close', onClose);
      response.off('close', onClose);
      if (!response.writableFinished) this.#gone.abort(new ClientGone());
    };
    // Node writes nothing more to a client that has closed its side, and does not tell the response so.
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

/** The reader of a request's response, the same every time. @param response needed for a request that has yet to come to Express */
export function readerOf(request: Request, response: Response = request.res!): ResponseReader {
  return (request.context.reader ??= new ResponseReader(request, response));
}

/** A stream is as long as it takes to compress it, so both codings are set to be fast. */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 2;

const compressors = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: () => createGzip({ level: GZIP_LEVEL }),
};

/** Small, so that it shows how fast they are taken, and takes a compressor's thread for no more than a moment. */
const PIECE_CODE_UNITS = 32_768;

/**
 * Writes a body as fast as the client takes it. A client that takes it too slowly is ended.
 *
 * @throws ClientGone
 * @throws what the texts throw
 */
export async function writeBody(
  reader: ResponseReader,
  response: Response,
  texts: AsyncIterable<string> | Iterable<string>,
  coding: ContentCoding,
): Promise<void> {
  const { signal } = reader;
  const pieces = reader.pace.measure(piecesOf(texts), reader.end);
  // In bytes, whose number is what the stream holds back for; the number of pieces would say nothing.
  const body = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  // A fault closes the response, after which it looks as if the client had left: what came first counts.
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
    for (let start = 0; start < text.length;) {
      let end = Math.min(start + PIECE_CODE_UNITS, text.length);
      // The halves of a surrogate pair mean nothing by themselves.
      if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!)) end += 1;
      yield Buffer.from(text.slice(start, end));
      start = end;
    }
  }
}

/** A compressor keeps its first bytes until there are many; the client wants to see that something comes. */
function flushingFirst<Compressor extends ReturnType<(typeof compressors)['br' | 'gzip']>>(
  compressor: Compressor,
): Compressor {
  compressor.once('pipe', (body: Readable) => body.once('data', () => compressor.flush()));
  return compressor;
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
