import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { ContentCoding } from '../protocol/accept-encoding.js';
import { ClientGone } from '../request/client-gone.js';
import type { ResponseReader } from './response-reader.js';

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
