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
 * While connections arrive, no request begins until so many were accepted, or for so long, in milliseconds. The system
 * keeps up to 511 of them waiting, so those of others are accepted after two or three times.
 */
const MAX_ACCEPTED = 256;
const ACCEPTING_MS = 100;

/**
 * Shares the event loop between clients. In one turn of the loop, Node handles all connections that have data: a client
 * with many connections, each with a request of some milliseconds, would delay those of others by all of them. Beyond the
 * time of a turn, requests wait in a line for each client, and the clients take turns. Connections are accepted between
 * them.
 */
@Injectable()
export class Turns {
  readonly #lines = new ClientLines();
  /** When the first request of the current turn of the event loop began; undefined while none has begun. */
  #beganAt: number | undefined;
  #isEndScheduled = false;
  /** Whether a connection was accepted in the current turn of the event loop. */
  #hasAccepted = false;
  /** Since when every turn of the event loop has accepted a connection; undefined when the last one has not. */
  #acceptingSince: number | undefined;
  /** The connections since then. */
  #accepted = 0;

  /**
   * Call it when a connection was accepted. Node accepts one in each turn of the event loop, whatever its client, so a
   * connection would wait for the requests of as many turns as connections have come before it: measured, 400 connections
   * of one client kept others out for a second. So requests wait until no connection has come in a turn, or for
   * {@link MAX_ACCEPTED} connections: a request that begins has work in many later turns, so few begin in between.
   */
  noteConnection(): void {
    this.#hasAccepted = true;
    this.#accepted += 1;
    this.#scheduleEnd();
  }

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
      this.#scheduleEnd();
    }
    const isAccepting = this.#hasAccepted || this.#acceptingSince !== undefined;
    const isInTime = !isAccepting && now - this.#beganAt < TURN_MS;
    if (isInTime && this.#lines.isEmpty) return undefined;
    const client = clientOf();
    // A client that is in line does not overtake itself; others do not wait for it.
    if (isInTime && !this.#lines.has(client)) return undefined;
    return this.#lines.wait(client);
  }

  #scheduleEnd(): void {
    if (!this.#isEndScheduled) setImmediate(this.#end);
    this.#isEndScheduled = true;
  }

  /** Ends the time of the requests that began when their data arrived. The line has a time of its own in the next turn. */
  readonly #end = (): void => {
    this.#beganAt = undefined;
    this.#isEndScheduled = false;
    if (this.#goesOnAccepting()) {
      this.#scheduleEnd();
      return;
    }
    if (this.#lines.isEmpty) return;
    this.#isEndScheduled = true;
    setImmediate(this.#beginLine);
    // Node runs the promises of one immediate before the next one, which so sees the time that they took.
    for (let count = Math.min(this.#lines.length, MAX_BEGINNING); count > 0; count -= 1)
      setImmediate(this.#beginNext);
    setImmediate(this.#end);
  };

  /** Whether requests wait for another turn, because more connections may wait to be accepted. */
  #goesOnAccepting(): boolean {
    const now = performance.now();
    const since = (this.#acceptingSince ??= now);
    if (this.#hasAccepted && this.#accepted < MAX_ACCEPTED && now - since < ACCEPTING_MS) {
      this.#hasAccepted = false;
      return true;
    }
    this.#hasAccepted = false;
    this.#acceptingSince = undefined;
    this.#accepted = 0;
    return false;
  }

  readonly #beginLine = (): void => void (this.#beganAt = performance.now());

  readonly #beginNext = (): void => {
    if (performance.now() - this.#beganAt! < TURN_MS) this.#lines.takeNext();
  };
}
