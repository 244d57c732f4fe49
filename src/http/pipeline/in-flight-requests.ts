import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceStopping } from '../../problem-details/problems.js';
import { type Entry, EntryList } from './entry-list.js';

/** Ends the reading of a body with a refusal. */
export type StopReading = (reason: Error) => void;

/** The requests whose responses are not complete, and their end when the service stops. */
@Injectable()
export class InFlightRequests {
  readonly #open = new EntryList<ServerResponse>();
  readonly #deadline = new AbortController();
  #isStopping = false;
  /** Those that were open when the service was told to stop. */
  #toFinish = new Set<ServerResponse>();
  #onFinished: (() => void) | undefined;

  /** The bodies that are being read. */
  readonly reading = new EntryList<StopReading>();

  constructor() {
    // Each running import listens to it.
    setMaxListeners(0, this.stopDeadline);
  }

  get count(): number {
    return this.#open.size;
  }

  /** Aborted with {@link ServiceStopping} when the service stops and running requests have had their time. */
  get stopDeadline(): AbortSignal {
    return this.#deadline.signal;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Counts a request as open until {@link close} is given what this returns. */
  open(response: ServerResponse): Entry<ServerResponse> {
    if (this.isStopping) response.shouldKeepAlive = false;
    return this.#open.add(response);
  }

  /** To be called when the response is complete, or the client has gone. */
  close(entry: Entry<ServerResponse>): void {
    this.#open.remove(entry);
    if (this.#toFinish.delete(entry.item) && this.#toFinish.size === 0) this.#onFinished?.();
  }

  /** The response that a connection is for at the moment. */
  responseOn(socket: Socket): ServerResponse | undefined {
    return this.#open.items().find((each) => each.socket === socket);
  }

  /** Whether it is for us, and not for the client, to do something on a connection on which nothing moves. */
  isOurTurn(socket: Socket): boolean {
    const response = this.responseOn(socket);
    return response !== undefined && (!response.headersSent || socket.writableLength === 0);
  }

  /**
   * From now on new requests are to be refused, and every response tells its client to close the connection.
   *
   * @returns a promise that resolves once the requests that are open now are complete
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

  /** Refuses the requests whose bodies still come in, and the imports that still run. */
  refuseUnfinished(): void {
    this.#deadline.abort(new ServiceStopping());
    for (const stop of this.reading.items()) stop(new ServiceStopping());
  }
}

const DRAIN_CHECK_MS = 1_000;
const DRAIN_CHECKS = 30;

/**
 * Discards the rest of a body after the response, so that the client comes to read that (RFC 9112
 * §9.6), but no more of it than a whole body may have, and not for long.
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

/** A body that takes longer is not waited for. */
const AFTER_BODY_MS = 500;

/**
 * Calls back once the body of a request has come in, unread. A response that closes its connection before that may never
 * arrive: the system resets a connection that is closed with bytes still unread, and the response goes with it.
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
