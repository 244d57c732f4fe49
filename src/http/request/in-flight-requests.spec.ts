import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { InFlightRequests } from './in-flight-requests.js';

function responseOn(socket: Socket): Response {
  return Object.assign(new EventEmitter(), { socket, shouldKeepAlive: true }) as unknown as Response;
}

describe('InFlightRequests', () => {
  const requests = new InFlightRequests();
  const socket = new Socket();
  const seen = () => [requests.count, requests.responseOn(socket)];

  it('knows the open response of each connection, also when the next one opens before the last one closes', async () => {
    const [first, second] = [responseOn(socket), responseOn(socket)];
    requests.open(first);
    requests.open(second);
    requests.close(first, socket);
    expect(seen()).toEqual([1, second]);
    const stopped = requests.stop();
    expect([first.shouldKeepAlive, second.shouldKeepAlive]).toEqual([true, false]);
    second.emit('close');
    await stopped;
    socket.emit('close');
    expect(seen()).toEqual([1, undefined]);
    requests.close(second, socket);
    expect(seen()).toEqual([0, undefined]);
  });
});
