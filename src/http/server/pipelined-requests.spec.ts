import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PipelinedRequests } from './pipelined-requests.js';

/** A connection of a client, and the responses that wait on it. */
function connectionOf(pipelined: PipelinedRequests, ip: string) {
  const socket = new PassThrough();
  const waiting: EventEmitter[] = [];
  let begun = 0;
  const send = (count: number): void => {
    for (let sent = 0; sent < count; sent += 1) {
      const response = new EventEmitter();
      waiting.push(response);
      const request = { socket, ip } as unknown as Request;
      pipelined.wait(request, response as unknown as Response, () => (begun += 1));
    }
  };
  return { socket, waiting, send, begun: () => begun };
}

describe('PipelinedRequests', () => {
  it('lets 32 requests wait on a connection, and closes it at the next', async () => {
    const { socket, waiting, send, begun } = connectionOf(new PipelinedRequests(), '192.0.2.1');
    send(32);
    for (const response of waiting) response.emit('socket');
    await nextTurn();
    expect(begun()).toBe(32);
    send(32);
    expect(socket.destroyed).toBe(false);
    send(2);
    expect(socket.destroyed).toBe(true);
    expect(begun()).toBe(32);
  });

  it('lets 1,024 requests of a client wait on all of its connections, without a part of other clients', async () => {
    const pipelined = new PipelinedRequests();
    const connections = Array.from({ length: 33 }, () => connectionOf(pipelined, '192.0.2.1'));
    for (const { send } of connections) send(32);
    const closed = connections.filter(({ socket }) => socket.destroyed);
    expect(closed).toHaveLength(1);
    const other = connectionOf(pipelined, '192.0.2.2');
    other.send(32);
    expect(other.socket.destroyed).toBe(false);
    // Those of a closed connection wait no longer.
    connections[0]!.socket.destroy();
    await nextTurn();
    const next = connectionOf(pipelined, '192.0.2.1');
    next.send(32);
    expect(next.socket.destroyed).toBe(false);
  });

  it('counts no request whose turn has come', () => {
    const { socket, waiting, send } = connectionOf(new PipelinedRequests(), '192.0.2.1');
    for (let round = 0; round < 40; round += 1) {
      send(32);
      for (const response of waiting.splice(0)) response.emit('socket');
    }
    expect(socket.destroyed).toBe(false);
  });
});
