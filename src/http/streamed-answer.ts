import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { negotiateCoding } from './accept-encoding.js';
import { assertStillMatches, EncodedAnswer, sendWithoutBody } from './answer.js';
import { ClientGone } from './client-gone.js';
import { paced } from './reader-pace.js';

/** A stream is as long as it takes to compress it, so both codings are set to be fast. */
const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 2;

const compressors = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: () => createGzip({ level: GZIP_LEVEL }),
};

/** The body of a {@link StreamedAnswer}; it is closed exactly once, whether or not all of it was read. */
export interface BodySource {
  chunks(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** A 200 whose body is as long as it likes, and never in memory as a whole. */
export class StreamedAnswer {
  /**
   * @param entityTag the opaque part of a strong entity tag of the uncompressed body; undefined for what happens once,
   *   which is sent as it comes and is not compressed, so that each chunk is seen at once
   */
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly entityTag: string | undefined,
    readonly source: BodySource,
  ) {}
}

/**
 * Writes an answer as fast as the client takes it. A client that leaves, or takes it too slowly, ends the reading of the
 * source.
 *
 * @throws what the source throws; the connection is broken by then if any of the answer was sent, because it must not
 * look complete
 * @throws ClientGone
 * @throws as {@link assertStillMatches} does
 */
export async function sendStream(
  request: Request,
  response: Response,
  { headers, entityTag, source }: StreamedAnswer,
): Promise<void> {
  try {
    if (entityTag !== undefined) assertStillMatches(request, entityTag);
    const coding = entityTag === undefined ? 'identity' : negotiateCoding(request.headers['accept-encoding']);
    const encoded = new EncodedAnswer({ status: 200, headers, entityTag }, coding);
    if (sendWithoutBody(request, response, encoded)) return;
    if (response.destroyed) throw new ClientGone();
    const chunks = source.chunks()[Symbol.asyncIterator]();
    // A fault that comes before the first byte can still be answered as one.
    const first = await chunks.next();
    encoded.head.write(request, response);
    // In bytes, whose number is what the stream holds back for; the number of strings would say nothing.
    const bytes = paced(bytesOf(first, chunks), () => response.destroy());
    const body = Readable.from(bytes, { objectMode: false, highWaterMark: 1 });
    await (coding === 'identity'
      ? pipeline(body, response)
      : pipeline(body, flushingFirst(compressors[coding]()), response));
  } catch (error) {
    if (isPrematureClose(error)) throw new ClientGone();
    throw error;
  } finally {
    await source.close();
  }
}

async function* bytesOf(
  first: IteratorResult<string>,
  chunks: AsyncIterator<string>,
): AsyncGenerator<Buffer> {
  try {
    for (let next = first; !next.done; next = await chunks.next()) {
      if (next.value !== '') yield Buffer.from(next.value);
    }
  } finally {
    await chunks.return?.();
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
