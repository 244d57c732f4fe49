import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Settings, SETTINGS } from '../../settings/settings.js';
import { Turns } from '../../turns/index.js';

/** How long a response waits for the body of its request. */
const MAX_WAIT_MS = 1_000;
/** How long a client may go on sending a body after it has the response. */
const MAX_DISCARDING_MS = 10_000;
/** How much of such a body is read, also where MAX_BODY_BYTES is small: imports have no limit. */
const MIN_DISCARDED_BYTES = 16 * 1_048_576;

/**
 * Reads and drops the rest of a body that is not needed, such as that of a refused request: a system resets a connection that is
 * closed with unread bytes, and the response is lost (RFC 9112 §9.6).
 *
 * It reads one chunk in a turn of the client: in one turn of the event loop, Node reads up to 2 MiB of each connection, and 400
 * of one client delayed a small write of others by up to 1.6 s.
 */
@Injectable()
export class DiscardedBodies {
  readonly #maxBytes: number;

  constructor(
    @Inject(SETTINGS) { maxBodyBytes }: Pick<Settings, 'maxBodyBytes'>,
    private readonly turns: Turns,
  ) {
    this.#maxBytes = Math.max(maxBodyBytes, MIN_DISCARDED_BYTES);
  }

  /** Before a response that closes the connection: some clients read only when they have sent their body. */
  async waitForEnd(request: Request): Promise<void> {
    const isRead = finished(request).catch(() => undefined);
    const isTooMuch = this.#discard(request);
    await Promise.race([isRead, isTooMuch, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  }

  /**
   * After a response. When the client has sent too much, the service ends its side of the connection and reads no more, so that
   * the client has the time to read the response.
   */
  discardAfterResponse(request: Request, socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), MAX_DISCARDING_MS).unref();
    const stop = (): void => clearTimeout(timer);
    request.once('end', stop).once('close', stop);
    void this.#discard(request).then(() => socket.end());
  }

  /** Resolves when more has arrived than is read. */
  #discard(request: Request): Promise<void> {
    const resume = (): void => void request.resume();
    let bytes = 0;
    return new Promise((resolve) => {
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        request.pause();
        if (bytes > this.#maxBytes) {
          resolve();
          return;
        }
        const turn = this.turns.wait(() => request.context.client.address, performance.now());
        if (turn) void turn.then(resume);
        else setImmediate(resume);
      });
      resume();
    });
  }
}
