import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../turns/index.js';

/** How long a response waits for the body of its request, and how long while nothing of it arrives, in milliseconds. */
const MAX_WAIT_MS = 5_000;
const MAX_PAUSE_MS = 1_000;
/** How long a client may go on sending a body after it has the response. */
const MAX_DISCARDING_MS = 10_000;

/**
 * Reads and drops the rest of a body that is not needed, such as that of a refused request: a system resets a connection that is
 * closed with unread bytes, and the response is lost (RFC 9112 §9.6).
 *
 * It reads one chunk in a turn of the client: in one turn of the event loop, Node reads up to 2 MiB of each connection, and 400
 * of one client delayed a small write of others by up to 1.6 s.
 */
@Injectable()
export class DiscardedBodies {
  readonly #requests = new WeakSet<Request>();

  constructor(private readonly turns: Turns) {}

  /** Before a response that closes the connection: some clients read only when they have sent their body. */
  async waitForEnd(request: Request): Promise<void> {
    this.#discard(request);
    const { socket } = request;
    const ending = finished(request).then(
      () => true,
      () => true,
    );
    const waitsUntil = performance.now() + MAX_WAIT_MS;
    let isAtEnd = false;
    let before = -1;
    while (!isAtEnd && socket.bytesRead > before && performance.now() < waitsUntil) {
      before = socket.bytesRead;
      isAtEnd = await Promise.race([ending, sleep(MAX_PAUSE_MS, false, { ref: false })]);
    }
  }

  /** After a response. */
  discardAfterResponse(request: Request, socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), MAX_DISCARDING_MS).unref();
    const stop = (): void => clearTimeout(timer);
    request.once('end', stop).once('close', stop);
    this.#discard(request);
  }

  /** Does nothing when it reads the body already. */
  #discard(request: Request): void {
    if (this.#requests.has(request)) return;
    this.#requests.add(request);
    const readOn = (): void => void request.resume();
    request.on('data', () => {
      request.pause();
      const turn = this.turns.wait(() => request.context.client.address, performance.now());
      if (turn) void turn.then(readOn);
      else setImmediate(readOn);
    });
    readOn();
  }
}
