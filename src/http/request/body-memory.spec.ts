import { jest } from '@jest/globals';
import { BodyMemoryBudget } from './body-memory.js';

const KIB = 1_024;
const MIB = KIB * KIB;

describe('BodyMemoryBudget', () => {
  it('limits one client to half of the memory over all of its bodies', () => {
    const budget = new BodyMemoryBudget(64 * MIB);
    const bodies = ['a', 'a', 'a', 'b', 'b'].map((client) => budget.lease(client).take(64 * MIB));
    expect(bodies).toEqual([true, true, false, true, true]);
  });

  it('keeps room for a small body of every client when large bodies fill the budget', () => {
    const budget = new BodyMemoryBudget(MIB);
    // Fills the memory for large bodies; the first 64 KiB of each come from the reserve.
    for (const client of ['a', 'b']) expect(budget.lease(client).take(32 * MIB + 64 * KIB)).toBe(true);
    expect(budget.lease('c').take(64 * KIB + 1)).toBe(false);
    for (const client of ['a', 'b', 'c']) {
      const lease = budget.lease(client);
      expect(lease.take(64 * KIB)).toBe(true);
      expect(lease.take(1)).toBe(false);
    }
  });

  it('ends the slowest body of a client above its fair share when another client needs room', () => {
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

  it('does not end a body that has arrived completely', () => {
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

  it('frees all memory of a lease, including the memory for inflating', () => {
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
