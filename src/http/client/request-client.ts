import type { Request } from 'express';
import type { Client } from '../../limits/index.js';
import { clientOf } from './client-address.js';

/** The client of a request, `request.context.client`. Each part is made when it is asked for: most requests need none. */
export class RequestClient implements Client {
  #address: string | undefined;

  constructor(private readonly request: Request) {}

  /** The bearer of the request's token, who may become known later, or else the address. */
  get name(): string {
    const { id } = this.request.user;
    return id === undefined ? this.address : `user ${id}`;
  }

  /** Kept, because lines compare it many times. */
  get address(): string {
    return (this.#address ??= clientOf(this.#sentAddress));
  }

  /** Express's `ip` parses X-Forwarded-For for a microsecond, and is the peer's address without one. */
  get #sentAddress(): string | undefined {
    const { request } = this;
    return request.headers['x-forwarded-for'] === undefined ? request.socket.remoteAddress : request.ip;
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
