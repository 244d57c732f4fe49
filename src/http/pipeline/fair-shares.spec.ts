import { jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { ConnectionShares, FairShares } from './fair-shares.js';

const LONG_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('FairShares', () => {
  it('limits one client to its share over all of its requests', () => {
    const shares = new FairShares({ total: 100, perClient: 50 });
    expect(shares.open('a').take(30)).toBe(true);
    const second = shares.open('a');
    expect(second.take(21)).toBe(false);
    expect(second.take(20)).toBe(true);
    expect(shares.open('a').take(1)).toBe(false);
    expect(shares.open('b').take(50)).toBe(true);
    expect(shares.held).toBe(100);
  });

  it('lets a client take any amount when nothing is in use', () => {
    const shares = new FairShares({ total: 100, perClient: 10 });
    const large = shares.open('a');
    expect(large.take(150)).toBe(true);
    expect(shares.open('b').take(1)).toBe(false);
    large.release();
    expect(shares.open('b').take(1)).toBe(true);
    expect(shares.open('a').take(100)).toBe(false);
  });

  it('counts a release once', () => {
    const shares = new FairShares({ total: 10, perClient: 10 });
    const share = shares.open('a');
    share.take(10);
    share.giveBack(4);
    expect([share.held, shares.held]).toEqual([6, 6]);
    share.release();
    share.release();
    share.giveBack(6);
    expect([share.held, shares.held]).toEqual([0, 0]);
    expect(share.take(1)).toBe(false);
  });

  it('ends the slowest share of a client beyond its fair share when another client finds no room', () => {
    const shares = new FairShares({ total: 100, perClient: 80 });
    const ended: string[] = [];
    shares.open('a', () => ended.push('a, slow')).take(30);
    shares.open('a', () => ended.push('a, fast')).take(50);
    shares.open('b', () => ended.push('b')).take(20);
    jest.advanceTimersByTime(LONG_MS);
    const newcomer = shares.open('c');
    expect(newcomer.take(30)).toBe(true);
    expect(ended).toEqual(['a, slow']);
    expect(newcomer.take(3)).toBe(true);
    expect(ended).toEqual(['a, slow', 'a, fast']);
    expect(shares.held).toBe(53);
  });

  it('judges slowness by the rate, not by the amount', () => {
    const shares = new FairShares({ total: 100, perClient: 100 });
    const ended: string[] = [];
    shares.open('a', () => ended.push('large and old')).take(60);
    jest.advanceTimersByTime(LONG_MS);
    shares.open('a', () => ended.push('small and new')).take(40);
    jest.advanceTimersByTime(6_000);
    expect(shares.open('b').take(1)).toBe(true);
    expect(ended).toEqual(['large and old']);
  });

  it('does not end a share that was just opened', () => {
    const shares = new FairShares({ total: 100, perClient: 100 });
    const end = jest.fn();
    shares.open('a', end).take(100);
    jest.advanceTimersByTime(1_000);
    expect(shares.open('b').take(1)).toBe(false);
    expect(end).not.toHaveBeenCalled();
  });

  it('does not end a share without an end callback', () => {
    const shares = new FairShares({ total: 100, perClient: 100 });
    const end = jest.fn();
    const kept = shares.open('a', end);
    kept.take(60);
    kept.end = undefined;
    shares.open('a').take(40);
    jest.advanceTimersByTime(LONG_MS);
    expect(shares.open('b').take(1)).toBe(false);
    expect(end).not.toHaveBeenCalled();
  });

  it('does not end a share for a client that would hold more than its own fair share', () => {
    const shares = new FairShares({ total: 100, perClient: 60 });
    const end = jest.fn();
    shares.open('a', end).take(60);
    const other = shares.open('b');
    other.take(40);
    jest.advanceTimersByTime(LONG_MS);
    expect(other.take(11)).toBe(false);
    expect(end).not.toHaveBeenCalled();
    expect(other.take(10)).toBe(true);
    expect(end).toHaveBeenCalledTimes(1);
  });

  it('forgets only clients that hold nothing', () => {
    const shares = new FairShares({ total: 10_000, perClient: 2 });
    const holder = shares.open('holder');
    holder.take(2);
    for (let index = 0; index < 3_000; index += 1) {
      const share = shares.open(`client ${index}`);
      share.take(1);
      share.release();
    }
    expect(shares.open('holder').take(1)).toBe(false);
    expect(shares.held).toBe(2);
  });
});

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
  const limits = { total: 10, perClient: 2 };

  it('closes connections of a client above its share, and accepts other clients', () => {
    const shares = new ConnectionShares(limits, () => false);
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
    const shares = new ConnectionShares(limits, (address) => address === '192.0.2.1');
    const sockets = Array.from({ length: 20 }, () => connectionFrom('192.0.2.1'));
    sockets.forEach(shares.accept);
    expect(sockets.some(({ isClosed }) => isClosed)).toBe(false);
  });
});
