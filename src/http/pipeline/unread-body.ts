import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The most that is read of a body that is not used. */
const MAX_DISCARDED_BYTES = 67_108_864;
const MAX_DISCARDING_MS = 30_000;
const CHECK_INTERVAL_MS = 250;
/** The longest pause of a body that a response waits for. */
const MAX_PAUSE_MS = 500;

/**
 * Discards the rest of a body after the response, so that the client can read the response (RFC 9112 §9.6). If that
 * takes too long, closes the connection.
 */
export async function discardBody(request: IncomingMessage, socket: Socket): Promise<void> {
  if (!(await discard(request, socket, MAX_DISCARDING_MS))) socket.destroy();
}

/**
 * Waits until the body of a request has arrived, or does not arrive in time. Necessary before a response that closes the
 * connection: a system resets a connection that is closed with unread bytes, which discards the response. A client that
 * waits for `100 Continue` sends no body.
 */
export async function afterBody(request: IncomingMessage, socket: Socket): Promise<void> {
  const { expect, 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  const hasBody = coding !== undefined || length !== '0';
  if (hasBody && expect === undefined) await discard(request, socket, MAX_PAUSE_MS);
}

/** Reads on without keeping anything. @returns whether the body is complete, or the client has disconnected */
function discard(request: IncomingMessage, socket: Socket, maxPauseMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const isOver = (): boolean => request.complete || socket.destroyed;
    const start = performance.now();
    const startBytes = socket.bytesRead;
    let lastBytes = startBytes;
    let movedAt = start;
    const finish = (): void => {
      clearInterval(timer);
      request.off('end', finish).off('close', finish);
      resolve(isOver());
    };
    const timer = setInterval(() => {
      const now = performance.now();
      const { bytesRead } = socket;
      if (bytesRead > lastBytes) movedAt = now;
      lastBytes = bytesRead;
      const isTooLate = now - movedAt >= maxPauseMs || now - start >= MAX_DISCARDING_MS;
      if (isTooLate || bytesRead - startBytes > MAX_DISCARDED_BYTES) finish();
    }, CHECK_INTERVAL_MS).unref();
    if (isOver()) finish();
    else request.once('end', finish).once('close', finish).resume();
  });
}
