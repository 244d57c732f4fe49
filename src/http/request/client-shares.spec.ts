import { jest } from '@jest/globals';
import { ClientShares, type Share } from './client-shares.js';

const LONG_MS = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('ClientShares', () => {
  const ended: string[] = [];
  beforeEach(() => {
    ended.length = 0;
  });

  /** Opens a share that holds an amount, and that records its end. */
  function hold(shares: ClientShares, client: string, amount: number, name = client): Share {
    const share = shares.open(client, () => ended.push(name));
    expect(share.resize(amount)).toBe(true);
    return share;
  }

  it('limits one client to its part over all of its requests', () => {
    const shares = new ClientShares(100, 50);
    hold(shares, 'a', 30);
    const second = shares.open('a');
    expect(second.resize(21)).toBe(false);
    expect(second.resize(20)).toBe(true);
    expect(shares.open('a').resize(1)).toBe(false);
    hold(shares, 'b', 50);
    expect(shares.held).toBe(100);
  });

  it('lets a client take any amount when nothing is in use', () => {
    const shares = new ClientShares(100, 10);
    const large = hold(shares, 'a', 150);
    expect(shares.open('b').resize(1)).toBe(false);
    large.release();
    hold(shares, 'b', 1);
    expect(shares.open('a').resize(100)).toBe(false);
  });

  it('counts what is given back once', () => {
    const shares = new ClientShares(10, 10);
    const share = hold(shares, 'a', 10);
    share.resize(6);
    expect([share.held, shares.held]).toEqual([6, 6]);
    share.release();
    share.release();
    expect([share.held, shares.held]).toEqual([0, 0]);
    expect(share.resize(1)).toBe(false);
    expect(shares.held).toBe(0);
  });

  it('ends the slowest share of the client that holds most when another client finds no room', () => {
    const shares = new ClientShares(100, 80);
    hold(shares, 'a', 30, 'a, slow');
    hold(shares, 'a', 50, 'a, fast');
    hold(shares, 'b', 20);
    jest.advanceTimersByTime(LONG_MS);
    const newcomer = hold(shares, 'c', 30);
    expect(ended).toEqual(['a, slow']);
    expect(newcomer.resize(33)).toBe(true);
    expect(ended).toEqual(['a, slow', 'a, fast']);
    expect(shares.held).toBe(53);
  });

  it('judges slowness by the rate, not by the amount', () => {
    const shares = new ClientShares(100, 100);
    hold(shares, 'a', 60, 'large and old');
    jest.advanceTimersByTime(LONG_MS);
    hold(shares, 'a', 40, 'small and new');
    jest.advanceTimersByTime(6_000);
    hold(shares, 'b', 1);
    expect(ended).toEqual(['large and old']);
  });

  it('does not end a share that was just opened, or that has no end', () => {
    const shares = new ClientShares(100, 100);
    const kept = hold(shares, 'a', 60);
    jest.advanceTimersByTime(1_000);
    expect(shares.open('b').resize(50)).toBe(false);
    kept.end = undefined;
    jest.advanceTimersByTime(LONG_MS);
    expect(shares.open('b').resize(50)).toBe(false);
    expect(ended).toEqual([]);
  });

  it('does not end a share for a client that would hold more than an equal part', () => {
    const shares = new ClientShares(100, 60);
    hold(shares, 'a', 60);
    const other = hold(shares, 'b', 40);
    jest.advanceTimersByTime(LONG_MS);
    expect(other.resize(51)).toBe(false);
    expect(ended).toEqual([]);
    expect(other.resize(50)).toBe(true);
    expect(ended).toEqual(['a']);
  });

  it('forgets only clients that hold nothing', () => {
    const shares = new ClientShares(10_000, 2);
    hold(shares, 'holder', 2);
    for (let index = 0; index < 3_000; index += 1) hold(shares, `client ${index}`, 1).release();
    expect(shares.open('holder').resize(1)).toBe(false);
    expect(shares.held).toBe(2);
  });
});
