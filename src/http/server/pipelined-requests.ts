import type { Request, Response } from 'express';
import type { Socket } from 'node:net';
import { ClientQuota } from '../../limits/index.js';
import { clientOf } from '../client/client-address.js';

/** The requests that may wait for their turn on one connection. Browsers and proxies send none before its turn. */
const MAX_WAITING_ON_CONNECTION = 32;
/** Each takes some 5 kB. */
const MAX_WAITING = 4_096;

/** The requests that wait on one connection. */
interface Line {
  readonly client: string;
  length: number;
}

/**
 * Bounds the pipelined requests, which wait for the responses before them on their connection (RFC 9112 §9.3.2). Node
 * stops reading a connection when its responses pile up, and a request that waits makes no response: measured, 57 MB of
 * pipelined requests took gigabytes.
 */
export class PipelinedRequests {
  readonly #quota = new ClientQuota(MAX_WAITING);
  readonly #lines = new WeakMap<Socket, Line>();

  /**
   * Lets a request begin when its turn has come. Beyond the bounds, its connection is closed; the client may send again
   * what was not answered (RFC 9112 §9.3.1).
   */
  wait(request: Request, response: Response, begin: () => void): void {
    const { socket } = request;
    const line = this.#lines.get(socket) ?? this.#open(socket, clientOf(request.ip));
    if (line.length >= MAX_WAITING_ON_CONNECTION || !this.#quota.take(line.client)) {
      socket.destroy();
      return;
    }
    line.length += 1;
    // Before its turn, a response has no socket, and does not report that the client has gone.
    response.once('socket', () => {
      line.length -= 1;
      this.#quota.give(line.client);
      // Node is about to flush the response.
      process.nextTick(begin);
    });
  }

  #open(socket: Socket, client: string): Line {
    const line: Line = { client, length: 0 };
    this.#lines.set(socket, line);
    // The turn of those that still wait then never comes.
    socket.once('close', () => this.#quota.give(client, line.length));
    return line;
  }
}
