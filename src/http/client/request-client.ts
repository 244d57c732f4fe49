import type { Request } from 'express';
import type { Client } from '../../limits/index.js';
import { clientOfRequest } from './client-address.js';

/** The client of a request. Each part is made when it is asked for: most requests need none. */
export class RequestClient implements Client {
  constructor(private readonly request: Request) {}

  get name(): string {
    return clientOfRequest(this.request);
  }

  get signal(): AbortSignal {
    return this.request.context.signal;
  }

  get isGone(): boolean {
    const { isClosed, socket } = this.request.context;
    // Node does not write to a client that has closed its side.
    return isClosed || socket.readableEnded;
  }
}
