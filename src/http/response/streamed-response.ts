import type { Request, Response } from 'express';
import { negotiateCoding } from '../protocol/accept.js';
import type { LastModified } from '../protocol/last-modified.js';
import { assertStillMatches, EncodedResponse, sendWithoutBody } from './api-response.js';
import { readerOf, writeBody } from './response-reader.js';

/** The body of a {@link StreamedResponse}. It is closed exactly once, whether or not it was read completely. */
export interface BodySource {
  chunks(): AsyncIterable<string>;
  close(): Promise<void>;
}

/** A 200 response with a body of any length, which is never completely in memory. */
export class StreamedResponse {
  /**
   * @param entityTag the opaque part of a strong entity tag of the uncompressed body; undefined for an event, which is
   *   not compressed so that each chunk is visible at once
   */
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly entityTag: string | undefined,
    readonly source: BodySource,
    readonly lastModified?: LastModified,
  ) {}
}

/**
 * Writes a response at the speed of the client. If the client disconnects or is too slow, the reading of the source
 * ends.
 *
 * @throws what the source throws; if a part of the response was sent, the connection is broken, because the response
 *   must not look complete
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
    // An error before the first byte can still be sent as a problem.
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
