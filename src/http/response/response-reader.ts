import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ResponseCoding } from '../protocol/accept.js';
import { ClientGone } from '../request/request-body.js';
import { clientOfRequest } from '../request/client-address.js';
import type { Reader } from '../request/client-shares.js';
import { fromRequest } from '../request/handler-arguments.js';
import { Pace } from '../request/pace.js';
import { slicesOf } from '../request/slices.js';

/** The minimum average rate at which a client must read a response, after the first minute. */
const MIN_BYTES_PER_SECOND = 4_096;
/** Pauses up to this length do not count. */
const GRACE_MS = 1_000;

/** The client of a response that holds bounded resources while it is built and read. */
export class ResponseReader implements Reader {
  readonly client: string;
  readonly pace = new Pace(MIN_BYTES_PER_SECOND, GRACE_MS);
  readonly #gone = new AbortController();
  readonly end: () => void;

  constructor(request: Request, response: Response) {
    const { socket } = request.context;
    this.client = clientOfRequest(request);
    this.end = () => void socket.resetAndDestroy();
    const onClose = (): void => {
      socket.off('end', this.end);
      if (!response.writableFinished) this.#gone.abort(new ClientGone());
    };
    // Node stops writing to a client that has closed its side, and does not notify the response.
    socket.once('end', this.end);
    if (socket.destroyed || response.destroyed) onClose();
    else response.once('close', onClose);
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  lagMs(bytesPerSecond: number): number {
    return this.pace.lagMs(bytesPerSecond);
  }
}

const readers = new WeakMap<Request, ResponseReader>();

/** The reader of a request's response, always the same. */
export function readerOf(request: Request, response = request.res!): ResponseReader {
  let reader = readers.get(request);
  if (!reader) {
    reader = new ResponseReader(request, response);
    readers.set(request, reader);
  }
  return reader;
}

/** Returns a function that gives the `Reader` of a slow or streamed response. */
export const StreamReader = fromRequest((request) => () => readerOf(request));

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
    if (signal.aborted) return;
    fault = error;
    // Before `pipeline` closes the connection, which over HTTP/1.0 is the end of a complete response.
    reader.end();
  });
  try {
    if (coding === 'identity') {
      await pipeline(body, response, { signal });
    } else {
      const compressor = compressors[coding]();
      // It buffers its first bytes; flushing them shows the client early that data arrives.
      compressor.once('pipe', () => body.once('data', () => compressor.flush()));
      await pipeline(body, compressor, response, { signal });
    }
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

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
