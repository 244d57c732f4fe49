import type { Request } from 'express';
import type { Client } from '../../limits/index.js';
import { clientOf, clientOfRequest } from './client-address.js';

/** The client of a request. Each part is made when it is asked for: most requests need none. */
export class RequestClient implements Client {
  #address: string | undefined;

  constructor(private readonly request: Request) {}

  /** The user may become known later. */
  get name(): string {
    const { request } = this;
    return request.user.id === undefined ? this.address : clientOfRequest(request);
  }

  /** Kept, because lines compare it many times, and Express reads X-Forwarded-For at each access. */
  get address(): string {
    return (this.#address ??= clientOf(this.request.ip));
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
