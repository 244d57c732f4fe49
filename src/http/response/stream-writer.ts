import type { Response } from 'express';
import { once } from 'node:events';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ResponseCoding } from '../protocol/accept.js';
import { ClientGone } from '../client/client-gone.js';

/** The time limit for sending a response, because a stream holds a snapshot of the database. */
const RESPONSE_TIMEOUT_MS = 3_600_000;

/** Streams are compressed while they are sent, so both codings use fast settings. */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 2;

const compressors = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: () => createGzip({ level: GZIP_LEVEL }),
};

/**
 * Writes a stream at the speed of the client. Each text is asked for only when the one before it was sent, because a
 * large text counts as held until then.
 *
 * @param writeHead called before the first text: an error before it can still be sent as a problem
 * @throws ClientGone
 * @throws what the texts throw
 */
export async function writeStream(
  signal: AbortSignal,
  response: Response,
  texts: AsyncIterable<string | Buffer>,
  coding: ResponseCoding,
  writeHead: () => unknown,
): Promise<void> {
  const { socket } = response;
  const timeout = setTimeout(() => socket?.resetAndDestroy(), RESPONSE_TIMEOUT_MS);
  const compressor = coding === 'identity' ? undefined : compressors[coding]();
  compressor?.pipe(response);
  const writable = compressor ?? response;
  try {
    for await (const text of texts) {
      const isFirst = !response.headersSent;
      if (isFirst) writeHead();
      const isSent = writable.write(text);
      // A compressor keeps its first bytes; flushing them shows the client early that data arrives.
      if (isFirst) compressor?.flush();
      if (!isSent) await once(writable, 'drain', { signal });
    }
    if (!response.headersSent) writeHead();
    writable.end();
  } catch (error) {
    compressor?.destroy();
    throw signal.aborted ? new ClientGone() : error;
  } finally {
    clearTimeout(timeout);
  }
}
