import { Injectable } from '@nestjs/common';
import { ClientLines } from './client-lines.js';

/**
 * How long requests may begin in one turn of the event loop, in milliseconds. A request passes several turns, and in each
 * of them it waits this long at most for those of other clients, and for the last one that began.
 */
const TURN_MS = 5;
/** How many of the waiting requests may begin in one turn, if they take less time than that. */
const MAX_BEGINNING = 256;

/**
 * Shares the event loop between clients. In one turn of the loop, Node handles all connections that have data: a client
 * with many connections, each with a request of some milliseconds, would delay those of others by all of them. Beyond the
 * time of a turn, requests wait in a line for each client, and the clients take turns.
 */
@Injectable()
export class Turns {
  readonly #lines = new ClientLines();
  /** When the first request of the current turn of the event loop began; undefined while none has begun. */
  #beganAt: number | undefined;
  #isEndScheduled = false;

  /**
   * Waits for a turn, before work that may take longer than some microseconds.
   *
   * @param clientOf called only when it may have to wait
   * @param now a monotonic time in milliseconds
   * @returns undefined when the work may begin at once
   */
  wait(clientOf: () => string, now: number): Promise<void> | undefined {
    if (this.#beganAt === undefined) {
      this.#beganAt = now;
      if (!this.#isEndScheduled) setImmediate(this.#end);
      this.#isEndScheduled = true;
    }
    const isInTime = now - this.#beganAt < TURN_MS;
    if (isInTime && this.#lines.isEmpty) return undefined;
    const client = clientOf();
    // A client that is in line does not overtake itself; others do not wait for it.
    if (isInTime && !this.#lines.has(client)) return undefined;
    return this.#lines.wait(client);
  }

  /** Ends the time of the requests that began when their data arrived. The line has a time of its own in the next turn. */
  readonly #end = (): void => {
    this.#beganAt = undefined;
    this.#isEndScheduled = !this.#lines.isEmpty;
    if (!this.#isEndScheduled) return;
    setImmediate(this.#beginLine);
    // Node runs the promises of one immediate before the next one, which so sees the time that they took.
    for (let count = Math.min(this.#lines.length, MAX_BEGINNING); count > 0; count -= 1)
      setImmediate(this.#beginNext);
    setImmediate(this.#end);
  };

  readonly #beginLine = (): void => void (this.#beganAt = performance.now());

  readonly #beginNext = (): void => {
    if (performance.now() - this.#beganAt! < TURN_MS) this.#lines.takeNext();
  };
}
