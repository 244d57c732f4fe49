import type { IncomingMessage } from 'node:http';

/**
 * Discards the rest of a body, so that its client reads the response: a system resets a connection that is closed with
 * unread bytes, and the response is lost (RFC 9112 §9.6).
 *
 * @returns whether the body has arrived in time, or its client has disconnected
 */
export function discardBody(request: IncomingMessage, maxMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    if (request.complete || request.destroyed) {
      resolve(true);
      return;
    }
    const timer = setTimeout(resolve, maxMs, false).unref();
    const finish = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    request.once('end', finish).once('close', finish).resume();
  });
}
