import { jest } from '@jest/globals';
import { BodyMemoryBudget } from './body-memory.js';

const KIB = 1_024;
const MIB = KIB * KIB;

describe('BodyMemoryBudget', () => {
  it('lets one client hold half of it, in bodies of any number', () => {
    const budget = new BodyMemoryBudget(64 * MIB);
    const bodies = ['a', 'a', 'a', 'b', 'b'].map((client) => budget.lease(client).take(64 * MIB));
    expect(bodies).toEqual([true, true, false, true, true]);
  });

  it('always has room for small bodies of other clients, and of the same one', () => {
    const budget = new BodyMemoryBudget(MIB);
    // All that there is for large bodies; the first 64 KiB of each come from the reserve.
    for (const client of ['a', 'b']) expect(budget.lease(client).take(32 * MIB + 64 * KIB)).toBe(true);
    expect(budget.lease('c').take(64 * KIB + 1)).toBe(false);
    for (const client of ['a', 'b', 'c']) {
      const lease = budget.lease(client);
      expect(lease.take(64 * KIB)).toBe(true);
      expect(lease.take(1)).toBe(false);
    }
  });

  it('ends the slowest body of a client beyond its fair share, once, for another client', () => {
    jest.useFakeTimers();
    try {
      const budget = new BodyMemoryBudget(16 * MIB);
      const ended: string[] = [];
      for (const [client, mebibytes] of [
        ['a', 12],
        ['a', 20],
        ['b', 30],
      ] as const) {
        const lease = budget.lease(client);
        lease.mayBeEnded(() => ended.push(`${client} ${mebibytes}`));
        lease.take(mebibytes * MIB);
      }
      jest.advanceTimersByTime(10_000);
      expect(budget.lease('c').take(4 * MIB)).toBe(true);
      expect(ended).toEqual(['a 12']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('does not end a body that has come as a whole', () => {
    jest.useFakeTimers();
    try {
      const budget = new BodyMemoryBudget(16 * MIB);
      const end = jest.fn();
      for (const client of ['a', 'b']) {
        const lease = budget.lease(client);
        lease.mayBeEnded(end);
        lease.take(32 * MIB);
        lease.mayBeEnded(undefined);
      }
      jest.advanceTimersByTime(10_000);
      expect(budget.lease('c').take(4 * MIB)).toBe(false);
      expect(end).not.toHaveBeenCalled();
    } finally {
      jest.useRealTimers();
    }
  });

  it('gets back all that a lease has taken, what inflating took included', () => {
    const budget = new BodyMemoryBudget(64 * MIB);
    const small = budget.lease('a');
    small.take(10);
    small.giveBack(10);
    expect(budget.usedBytes).toBe(0);
    const lease = budget.lease('a');
    lease.take(MIB);
    lease.inflaters.take(KIB);
    lease.giveBack(MIB - 10);
    expect(budget.usedBytes).toBe(10 + KIB);
    lease.release();
    expect(budget.usedBytes).toBe(0);
    expect(lease.take(1)).toBe(false);
  });
});
