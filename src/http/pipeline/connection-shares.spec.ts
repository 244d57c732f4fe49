import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionShares } from './connection-shares.js';

function connectionFrom(remoteAddress: string): Socket & { isClosed: boolean } {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    isClosed: false,
    destroy(): void {
      socket.isClosed = true;
      socket.emit('close');
    },
  });
  return socket as unknown as Socket & { isClosed: boolean };
}

describe('ConnectionShares', () => {
  it('closes connections of a client above its share, and accepts other clients', () => {
    const shares = new ConnectionShares(10, 2, () => false);
    const addresses = [
      '192.0.2.1',
      '192.0.2.1',
      '192.0.2.1',
      '192.0.2.2',
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8::3',
    ];
    const sockets = addresses.map(connectionFrom);
    sockets.forEach(shares.accept);
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([false, false, true, false, false, false, true]);
    sockets[0]!.destroy();
    const next = connectionFrom('192.0.2.1');
    shares.accept(next);
    expect(next.isClosed).toBe(false);
  });

  it('accepts any number of connections from a trusted proxy', () => {
    const shares = new ConnectionShares(10, 2, (address) => address === '192.0.2.1');
    const sockets = Array.from({ length: 20 }, () => connectionFrom('192.0.2.1'));
    sockets.forEach(shares.accept);
    expect(sockets.some(({ isClosed }) => isClosed)).toBe(false);
  });
});
