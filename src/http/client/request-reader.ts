import type { Request } from 'express';
import type { Reader } from '../../limits/client-quota.js';
import { clientOfRequest } from './client-address.js';

/** The client that reads the response of a request. Each part is made when it is asked for: most requests need none. */
export class RequestReader implements Reader {
  constructor(private readonly request: Request) {}

  get client(): string {
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
