import type { Request, Response } from 'express';
import { negotiateCoding } from '../protocol/accept.js';
import type { LastModified } from '../protocol/last-modified.js';
import { assertStillMatches, EncodedResponse, sendWithoutBody } from './api-response.js';
import { readerOf, writeBody } from './response-reader.js';

/** The body of a {@link StreamedResponse}; it is closed exactly once, whether or not all of it was read. */
export interface BodySource {
  chunks(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** A 200 whose body is as long as it likes, and never in memory as a whole. */
export class StreamedResponse {
  /**
   * @param entityTag the opaque part of a strong entity tag of the uncompressed body; undefined for what happens once,
   *   which is sent as it comes and is not compressed, so that each chunk is seen at once
   */
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly entityTag: string | undefined,
    readonly source: BodySource,
    readonly lastModified?: LastModified,
  ) {}
}

/**
 * Writes a response as fast as the client takes it. A client that leaves, or takes it too slowly, ends the reading of the
 * source.
 *
 * @throws what the source throws; the connection is broken by then if any of the response was sent, because it must not
 * look complete
 * @throws ClientGone
 * @throws as {@link assertStillMatches} does
 */
export async function sendStream(
  request: Request,
  response: Response,
  { headers, entityTag, lastModified, source }: StreamedResponse,
): Promise<void> {
  const reader = readerOf(request, response);
  let chunks: AsyncIterator<string> | undefined;
  try {
    assertStillMatches(request, { entityTag, lastModified });
    const coding = entityTag === undefined ? 'identity' : negotiateCoding(request.headers['accept-encoding']);
    const encoded = new EncodedResponse({ status: 200, headers, entityTag, lastModified }, coding);
    if (sendWithoutBody(request, response, encoded)) return;
    reader.signal.throwIfAborted();
    chunks = source.chunks()[Symbol.asyncIterator]();
    // A fault that comes before the first byte can still be sent as a problem.
    const first = await chunks.next();
    encoded.head.write(request, response);
    await writeBody(reader, response, resumed(first, chunks), coding);
  } finally {
    await chunks?.return?.();
    await source.close();
  }
}

async function* resumed(
  first: IteratorResult<string>,
  chunks: AsyncIterator<string>,
): AsyncGenerator<string> {
  for (let next = first; !next.done; next = await chunks.next()) yield next.value;
}
