import { Injectable } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { CompletionObserver } from '../../logging/request-log.js';
import { ServiceStopping } from '../../problem-details/problems.js';

/** Tracks requests with incomplete responses, and ends them when the service stops. */
@Injectable()
export class InFlightRequests {
  readonly #open = new Set<ServerResponse>();
  readonly #deadline = new AbortController();
  isStopping = false;

  /** Called for every request when its response is complete or its client has disconnected. */
  readonly observers: CompletionObserver[] = [];

  /** The bodies that are being read. */
  readonly reading = new Set<Readable>();

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

  open(response: ServerResponse): void {
    if (this.isStopping) response.shouldKeepAlive = false;
    this.#open.add(response);
  }

  /** Call when the response is complete or the client has disconnected. */
  close(response: ServerResponse): void {
    this.#open.delete(response);
  }

  responseOn(socket: Socket): ServerResponse | undefined {
    return [...this.#open].find((each) => each.socket === socket);
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
  async stop(): Promise<void> {
    this.isStopping = true;
    const responses = [...this.#open];
    for (const response of responses) response.shouldKeepAlive = false;
    await Promise.all(responses.map((response) => new Promise((resolve) => response.once('close', resolve))));
  }

  /** Rejects requests whose bodies are incomplete and aborts running imports. */
  refuseUnfinished(): void {
    this.#deadline.abort(new ServiceStopping());
    for (const body of this.reading) body.destroy(new ServiceStopping());
  }
}
