import type { Response } from 'express';
import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { InFlightRequests } from './in-flight-requests.js';

function responseOn(socket: Socket): Response {
  return Object.assign(new EventEmitter(), { socket, shouldKeepAlive: true }) as unknown as Response;
}

describe('InFlightRequests', () => {
  it('knows the open response of each connection, also when the next one opens before the last one closes', async () => {
    const requests = new InFlightRequests();
    const socket = new Socket();
    const [first, second] = [responseOn(socket), responseOn(socket)];
    requests.open(first);
    requests.open(second);
    requests.close(first, socket);
    expect([requests.count, requests.responseOn(socket)]).toEqual([1, second]);
    const stopped = requests.stop();
    expect([first.shouldKeepAlive, second.shouldKeepAlive]).toEqual([true, false]);
    second.emit('close');
    await stopped;
    requests.close(second, socket);
    expect([requests.count, requests.responseOn(socket)]).toEqual([0, undefined]);
  });

  it('forgets a connection that is closed', () => {
    const requests = new InFlightRequests();
    const socket = new Socket();
    const response = responseOn(socket);
    requests.open(response);
    socket.emit('close');
    requests.close(response, socket);
    expect([requests.count, requests.responseOn(socket)]).toEqual([0, undefined]);
  });
});
