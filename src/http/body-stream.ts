import type { IncomingMessage } from 'node:http';
import { type Duplex, PassThrough, pipeline } from 'node:stream';
import { RequestTimedOut } from '../problem-details/problems.js';
import { type ContentCoding, corruptData, createInflater } from './body-bytes.js';
import { ClientGone } from './client-gone.js';

export interface BodyStreamOptions {
  /** In the order they were applied. */
  readonly codings: readonly ContentCoding[];
  /** The longest wait for the next byte. */
  readonly idleTimeoutMs: number;
  /** Ends the reading with its reason. */
  readonly signal: AbortSignal;
  /** Called just before the first byte is read: the moment to answer `Expect: 100-continue`. */
  readonly onReadStart: () => void;
  /** Sees the bytes, inflated, as they are read. */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

/**
 * The body of a request as it comes, inflated, no faster than it is taken. What is left of it after a fault, or when the
 * reader stops, is let go, so that the request can be answered.
 *
 * @throws RequestTimedOut
 * @throws ClientGone
 * @throws InvalidRequest when the compressed data is corrupt or cut off
 */
export async function* streamBody(
  request: IncomingMessage,
  { codings, idleTimeoutMs, signal, onBytes, onReadStart }: BodyStreamOptions,
): AsyncGenerator<Buffer> {
  if (request.destroyed) throw new ClientGone();
  signal.throwIfAborted();
  onReadStart();
  // Never read from the request itself: an async iterator that ends with an error destroys the stream it reads, and of a
  // request it also removes the socket (`destroyer` in Node's lib/internal/streams/destroy.js).
  const stages: Duplex[] =
    codings.length === 0
      ? [new PassThrough()]
      : codings.toReversed().map((coding) => createInflater(coding, undefined));
  const body = stages.at(-1)!;
  let ended: Error | undefined;
  const end = (reason: Error): void => {
    ended ??= reason;
    body.destroy(reason);
  };
  request.pipe(stages[0]!);
  stages.slice(1).forEach((stage, index) => pipeline(stages[index]!, stage, () => undefined));
  const onGone = (): void => {
    if (!request.readableEnded) end(new ClientGone());
  };
  const onAbort = (): void => end(signal.reason as Error);
  const idle = setTimeout(
    () => end(new RequestTimedOut(`No byte of the body came for ${idleTimeoutMs / 1000} s.`)),
    idleTimeoutMs,
  );
  const onData = (): void => void idle.refresh();
  request.once('close', onGone);
  signal.addEventListener('abort', onAbort);
  try {
    for await (const chunk of body) {
      // While we do not read, it is not the client that is slow.
      onData();
      onBytes?.(chunk as Buffer);
      yield chunk as Buffer;
      onData();
    }
  } catch (error) {
    if (ended) throw ended;
    throw codings.length > 0 ? corruptData(codings) : error;
  } finally {
    clearTimeout(idle);
    request.off('close', onGone);
    signal.removeEventListener('abort', onAbort);
    request.unpipe();
    for (const stage of stages) stage.destroy();
    if (!request.destroyed) request.resume();
  }
}
