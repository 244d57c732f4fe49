import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
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
  const inflaters: Duplex[] = codings.toReversed().map((coding) => createInflater(coding, undefined));
  // The iterator must not destroy the request, to which an answer is still to come.
  const body: Readable = inflaters.length === 0 ? request : inflaters.at(-1)!;
  let ended: Error | undefined;
  const end = (reason: Error): void => {
    ended ??= reason;
    if (body !== request) body.destroy(reason);
    else request.emit('error', reason);
  };
  const stages: Readable[] = [request, ...inflaters];
  stages.slice(1).forEach((stage, index) => {
    const source = stages[index]!;
    if (source === request) request.pipe(stage as Duplex);
    else pipeline(source, stage as Duplex, () => undefined);
  });
  const onGone = (): void => {
    if (!request.complete) end(new ClientGone());
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
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      // While we do not read, it is not the client that is slow.
      onData();
      onBytes?.(chunk as Buffer);
      yield chunk as Buffer;
      onData();
    }
  } catch (error) {
    if (ended) throw ended;
    if (!request.complete && request.destroyed) throw new ClientGone();
    throw inflaters.length > 0 ? corruptData(codings) : error;
  } finally {
    clearTimeout(idle);
    request.off('close', onGone);
    signal.removeEventListener('abort', onAbort);
    request.unpipe();
    for (const inflater of inflaters) inflater.destroy();
    if (!request.destroyed) request.resume();
  }
}
