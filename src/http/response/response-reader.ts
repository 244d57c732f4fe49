import type { Request, Response } from 'express';
import { clientOfRequest } from '../request/client-address.js';
import { ClientGone } from '../request/client-gone.js';
import { ReaderPace } from './reader-pace.js';

/** The client of a response that holds bounded resources while it is made and read. */
export interface Reader {
  /** Names the client: its token, or its address. */
  readonly client: string;
  /** Aborted with {@link ClientGone} when the client leaves before the response is complete. */
  readonly signal: AbortSignal;
  /** By how many milliseconds it is behind a rate of reader-pace.ts. */
  lagMs(bytesPerSecond: number): number;
  /** Breaks the connection. */
  end(): void;
}

export class ResponseReader implements Reader {
  readonly client: string;
  readonly pace = new ReaderPace();
  /** Breaks the connection. */
  readonly end: () => void;
  readonly #gone = new AbortController();

  constructor(request: Request, response: Response) {
    // A response that waits for earlier ones of its connection has no socket yet, and never emits 'close' when that breaks.
    const socket = response.socket ?? request.socket;
    this.client = clientOfRequest(request);
    this.end = () => void socket.destroy();
    const onClose = (): void => {
      socket.off('end', this.end).off('close', onClose);
      response.off('close', onClose);
      if (!response.writableFinished) this.#gone.abort(new ClientGone());
    };
    // Node writes nothing more to a client that has closed its side, and does not tell the response so.
    socket.once('end', this.end).once('close', onClose);
    response.once('close', onClose);
    if (socket.destroyed || response.destroyed) onClose();
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  lagMs(bytesPerSecond: number): number {
    return this.pace.lagMs(bytesPerSecond);
  }
}

/** The reader of a request's response, the same every time. @param response needed for a request that has yet to come to Express */
export function readerOf(request: Request, response: Response = request.res!): ResponseReader {
  return (request.context.reader ??= new ResponseReader(request, response));
}
