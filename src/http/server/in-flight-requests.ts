import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Socket } from 'node:net';
import { RequestBody } from '../bodies/request-body.js';
import { RequestTimedOut, ServiceStopping } from '../../problem-details/index.js';

/** Tracks requests with incomplete responses, and ends them when the service stops. */
@Injectable()
export class InFlightRequests {
  /**
   * The incomplete response on each connection. A set of responses would grow and shrink with every request: V8 then
   * replaces its table again and again, and each old table keeps its responses in memory until the next full garbage
   * collection. (Measured: a quarter of the time of a read.)
   */
  readonly #responses = new Map<Socket, Response | undefined>();
  #onEmpty: (() => void) | undefined;
  /** Whether proxies must send no more requests here; those that still come are served. */
  isDraining = false;
  readonly #onStop: (() => void)[] = [];
  isStopping = false;
  count = 0;

  open(response: Response): void {
    const socket = response.socket!;
    if (this.isDraining) response.shouldKeepAlive = false;
    if (!this.#responses.has(socket)) socket.once('close', () => this.#responses.delete(socket));
    this.#responses.set(socket, response);
    this.count += 1;
  }

  /** Call when the response is complete or the client has disconnected. @param socket that it had; Node clears it */
  close(response: Response, socket: Socket): void {
    // The next response of a pipelined connection may already be open.
    if (this.#responses.get(socket) === response) this.#responses.set(socket, undefined);
    this.count -= 1;
    if (this.count === 0) this.#onEmpty?.();
  }

  /** Ends the request of a connection on which nothing has moved for too long, if it was its client's turn. */
  endIdle(socket: Socket): void {
    const response = this.#responses.get(socket);
    if (!response) return void socket.destroy();
    const { req: request, headersSent } = response;
    if (headersSent && socket.writableLength > 0) socket.resetAndDestroy();
    // Paused, the request waits for the reader of its body.
    else if (!request.complete && !request.isPaused())
      request.context.reading?.destroy(new RequestTimedOut());
  }

  /** Lets every response close its connection, so that the proxy opens the next one to another instance. */
  drain(): void {
    this.isDraining = true;
    for (const response of this.#open()) response.shouldKeepAlive = false;
  }

  /** @param listener ends responses that do not end by themselves */
  onStop(listener: () => void): void {
    this.#onStop.push(listener);
  }

  /** Ends the responses that do not end by themselves; the others go on. */
  endStreams(): void {
    for (const listener of this.#onStop) listener();
  }

  /** Resolves when no request is in flight. */
  empty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.count === 0) resolve();
    });
  }

  /** Rejects new requests and those whose bodies are incomplete, and aborts running imports. */
  refuseUnfinished(): void {
    this.isStopping = true;
    for (const { context, body } of this.#open().map(({ req }) => req))
      if (context.reading || body instanceof RequestBody) context.cancel(new ServiceStopping());
  }

  /**
   * Resets the connections of incomplete responses: closing them would look like the end of a body without length and
   * chunks.
   */
  cut(): void {
    for (const { socket } of this.#open()) socket?.resetAndDestroy();
  }

  #open(): Response[] {
    return [...this.#responses.values()].filter((response) => response !== undefined);
  }
}
