import type { Response } from 'express';
import { Socket } from 'node:net';
import { InFlightRequests } from './in-flight-requests.js';

describe('InFlightRequests', () => {
  it('knows the open response of each connection, also when the next one opens before the last one closes', () => {
    const requests = new InFlightRequests();
    const socket = new Socket();
    const [first, second] = [{ socket } as Response, { socket } as Response];
    requests.open(first);
    requests.open(second);
    requests.close(first, socket);
    expect(requests.count).toBe(1);
    expect(requests.responseOn(socket)).toBe(second);
    socket.emit('close');
    expect(requests.responseOn(socket)).toBeUndefined();
  });
});
