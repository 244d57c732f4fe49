import type { Request, Response } from 'express';
import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Reader } from '../../limits/client-quota.js';
import type { ResponseCoding } from '../protocol/accept.js';
import { clientOfRequest } from '../request/client-address.js';
import { fromRequest } from '../request/handler-arguments.js';
import { ClientGone } from '../request/request-context.js';

/** The time limit for sending a response, because a stream holds a snapshot of the database. */
const RESPONSE_TIMEOUT_MS = 3_600_000;

/** The client that reads the response of a request. */
export function readerOf(request: Request): Reader {
  return { client: clientOfRequest(request), signal: request.context.signal };
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

/** The texts of a stream, of which the first was read. */
interface StartedTexts {
  readonly first: IteratorResult<string>;
  readonly chunks: AsyncIterator<string>;
}

/**
 * Writes a stream at the speed of the client. One that breaks ends with a reset: over HTTP/1.0, the end of the
 * connection is the end of a complete body.
 *
 * @throws ClientGone
 * @throws what the texts throw
 */
export async function writeStream(
  { signal }: Reader,
  { context: { socket } }: Request,
  response: Response,
  texts: StartedTexts,
  coding: ResponseCoding,
): Promise<void> {
  const compressor = coding === 'identity' ? undefined : compressors[coding]();
  // Byte mode, because the stream's backpressure counts bytes; a count of texts would mean nothing.
  const body = Readable.from(onDemand(texts, compressor ?? response, signal), {
    objectMode: false,
    highWaterMark: 1,
  });
  // An error closes the response, which then looks like a disconnected client. The first event counts.
  let fault: Error | undefined;
  body.once('error', (error) => {
    if (signal.aborted) return;
    fault = error;
    socket.resetAndDestroy();
  });
  const timeout = setTimeout(() => socket.resetAndDestroy(), RESPONSE_TIMEOUT_MS);
  try {
    if (compressor) {
      // It buffers its first bytes; flushing them shows the client early that data arrives.
      compressor.once('pipe', () => body.once('data', () => compressor.flush()));
      await pipeline(body, compressor, response, { signal });
    } else {
      await pipeline(body, response, { signal });
    }
  } catch (error) {
    if (!fault && (signal.aborted || isPrematureClose(error))) throw new ClientGone();
    throw error;
  } finally {
    clearTimeout(timeout);
  }
}

/**
 * Asks for each text only when the one before it was sent, because a large text counts as held until the next one is
 * asked for. A `Readable` asks as soon as it has passed the text on.
 */
async function* onDemand(
  { first, chunks }: StartedTexts,
  writable: Writable,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await chunks.next()) {
    yield next.value;
    if (writable.writableNeedDrain) await once(writable, 'drain', { signal });
  }
}

function isPrematureClose(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
