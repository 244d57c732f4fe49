import { GrowingDelay } from './log-in-limits.js';

const rules = { freeTries: 3, maxDelayMs: 10_000, maxKeys: 100 };
const REMEMBERED_MS = 15 * 60_000;

function tried(delay: GrowingDelay, times: number, now = 0, key = 'a'): void {
  for (let n = 0; n < times; n += 1) delay.count(key, now);
}

describe('GrowingDelay', () => {
  it.each([
    [2, 0],
    [3, 1_000],
    [5, 4_000],
    [7, 10_000],
    [2_000, 10_000],
  ])('after %d attempts, requires a wait of %d ms', (times, waitMs) => {
    const delay = new GrowingDelay(rules);
    tried(delay, times);
    expect(delay.waitMs('a', 0)).toBe(waitMs);
    expect(delay.waitMs('a', waitMs)).toBe(0);
    expect(delay.waitMs('b', 0)).toBe(0);
  });

  it('remembers attempts for 15 minutes after the wait ends', () => {
    const delay = new GrowingDelay(rules);
    tried(delay, 4);
    tried(delay, 1, 2_000);
    expect(delay.waitMs('a', 2_000)).toBe(4_000);
    tried(delay, 1, 6_000 + REMEMBERED_MS);
    expect(delay.waitMs('a', 6_000 + REMEMBERED_MS)).toBe(0);
  });

  it('removes only the attempt that is taken back', () => {
    const delay = new GrowingDelay(rules);
    tried(delay, 4);
    delay.takeBack('a');
    expect(delay.waitMs('a', 0)).toBe(0);
    tried(delay, 1);
    expect(delay.waitMs('a', 0)).toBe(2_000);
    delay.takeBack('unknown');
  });

  it('forgets all attempts of a key', () => {
    const delay = new GrowingDelay(rules);
    tried(delay, 9);
    delay.forget('a');
    tried(delay, 2);
    expect(delay.waitMs('a', 0)).toBe(0);
  });

  it('keeps a wait when many new keys are tried', () => {
    const delay = new GrowingDelay(rules);
    tried(delay, 5, 0, 'waits');
    for (let n = 0; n < 10 * rules.maxKeys; n += 1) tried(delay, 2, 0, `new ${n}`);
    expect(delay.waitMs('waits', 0)).toBe(4_000);
  });

  it('forgets expired entries before entries that still count', () => {
    const delay = new GrowingDelay({ ...rules, maxKeys: 2 });
    tried(delay, 5, 0, 'ended');
    tried(delay, 1, 0, 'also ended');
    tried(delay, 3, REMEMBERED_MS + 4_000, 'new');
    tried(delay, 3, REMEMBERED_MS + 4_000, 'newer');
    const waits = ['ended', 'new', 'newer'].map((key) => delay.waitMs(key, REMEMBERED_MS + 4_000));
    expect(waits).toEqual([0, 1_000, 1_000]);
  });

  it('keeps a bounded number of keys, and forgets the least recently used', () => {
    const delay = new GrowingDelay({ ...rules, maxKeys: 3 });
    tried(delay, 3, 0, 'first');
    tried(delay, 3, 0, 'second');
    tried(delay, 1, 0, 'first');
    tried(delay, 3, 0, 'third');
    tried(delay, 3, 0, 'fourth');
    const waits = ['first', 'second', 'third', 'fourth'].map((key) => delay.waitMs(key, 0));
    expect(waits).toEqual([2_000, 0, 1_000, 1_000]);
  });
});
