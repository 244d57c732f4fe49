import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceStopping } from '../../problem-details/problems.js';
import { type Entry, EntryList } from './entry-list.js';

export type StopReading = (reason: Error) => void;

/** Tracks requests with incomplete responses, and ends them when the service stops. */
@Injectable()
export class InFlightRequests {
  readonly #open = new EntryList<ServerResponse>();
  readonly #deadline = new AbortController();
  #isStopping = false;
  /** The requests that were in flight when the service began to stop. */
  #toFinish = new Set<ServerResponse>();
  #onFinished: (() => void) | undefined;

  readonly reading = new EntryList<StopReading>();

  constructor() {
    // Each running import adds a listener.
    setMaxListeners(0, this.stopDeadline);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Aborted with {@link ServiceStopping} when the service stops and the time for running requests is over. */
  get stopDeadline(): AbortSignal {
    return this.#deadline.signal;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Adds a request. Pass the returned entry to {@link close} to remove it. */
  open(response: ServerResponse): Entry<ServerResponse> {
    if (this.isStopping) response.shouldKeepAlive = false;
    return this.#open.add(response);
  }

  /** Call when the response is complete or the client has disconnected. */
  close(entry: Entry<ServerResponse>): void {
    this.#open.remove(entry);
    if (this.#toFinish.delete(entry.item) && this.#toFinish.size === 0) this.#onFinished?.();
  }

  responseOn(socket: Socket): ServerResponse | undefined {
    return this.#open.items().find((each) => each.socket === socket);
  }

  /** Whether the service, not the client, must act next on an idle connection. */
  isOurTurn(socket: Socket): boolean {
    const response = this.responseOn(socket);
    return response !== undefined && (!response.headersSent || socket.writableLength === 0);
  }

  /**
   * Begins to stop: new requests are rejected, and every response closes its connection.
   *
   * @returns a promise that resolves when the current requests are complete
   */
  stop(): Promise<void> {
    this.#isStopping = true;
    this.#toFinish = new Set(this.#open.items());
    for (const response of this.#toFinish) response.shouldKeepAlive = false;
    if (this.#toFinish.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onFinished = resolve;
    });
  }

  /** Rejects requests whose bodies are incomplete and aborts running imports. */
  refuseUnfinished(): void {
    this.#deadline.abort(new ServiceStopping());
    for (const stop of this.reading.items()) stop(new ServiceStopping());
  }
}

const DRAIN_CHECK_MS = 1_000;
const DRAIN_CHECKS = 30;

/**
 * Discards the rest of a body after the response, so that the client can read the response (RFC 9112 §9.6). The
 * discarded bytes and the time are limited.
 */
export function drainBounded(request: IncomingMessage, socket: Socket, maxBytes: number): void {
  if (request.complete || socket.destroyed) return;
  const start = socket.bytesRead;
  let checks = 0;
  const timer = setInterval(() => {
    checks += 1;
    if (request.complete || socket.destroyed) clearInterval(timer);
    else if (socket.bytesRead - start > maxBytes || checks === DRAIN_CHECKS) socket.destroy();
  }, DRAIN_CHECK_MS);
  timer.unref();
}

/** The longest wait for a body before the response. */
const AFTER_BODY_MS = 500;

/**
 * Calls back when the unread body of a request has arrived. A response that closes the connection earlier may be lost:
 * the operating system resets a connection that is closed with unread bytes, which discards the response.
 */
export function afterBody(request: IncomingMessage, callback: () => void): void {
  const done = (): void => {
    clearTimeout(timer);
    request.off('end', done).off('close', done);
    callback();
  };
  const timer = setTimeout(done, request.headers.expect === undefined ? AFTER_BODY_MS : 0);
  request.once('end', done).once('close', done).resume();
}
