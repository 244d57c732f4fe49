import { TooManyLogIns } from './accounts.problems.js';
import { GrowingDelay, LogInLimits } from './log-in-limits.js';

describe('GrowingDelay', () => {
  const delayOf = (maxKeys = 100) => new GrowingDelay(3, 10_000, maxKeys);
  const REMEMBERED_MS = 15 * 60_000;

  function tried(delay: GrowingDelay, times: number, now = 0, key = 'a'): void {
    for (let n = 0; n < times; n += 1) delay.count(key, now);
  }

  it('remembers attempts for 15 minutes after the wait ends', () => {
    const delay = delayOf();
    tried(delay, 4);
    tried(delay, 1, 2_000);
    expect(delay.waitMs('a', 2_000)).toBe(4_000);
    tried(delay, 1, 6_000 + REMEMBERED_MS);
    expect(delay.waitMs('a', 6_000 + REMEMBERED_MS)).toBe(0);
  });

  it('keeps a wait when many new keys are tried', () => {
    const delay = delayOf();
    tried(delay, 5, 0, 'waits');
    for (let n = 0; n < 1_000; n += 1) tried(delay, 2, 0, `new ${n}`);
    expect(delay.waitMs('waits', 0)).toBe(4_000);
  });

  it('keeps a bounded number of keys, and forgets expired ones, then the least recently used', () => {
    const delay = delayOf(2);
    const waits = (now: number, ...keys: string[]) => keys.map((key) => delay.waitMs(key, now));
    tried(delay, 5, 0, 'ended');
    tried(delay, 1, 0, 'also ended');
    const later = REMEMBERED_MS + 4_000;
    tried(delay, 3, later, 'first');
    tried(delay, 3, later, 'second');
    expect(waits(later, 'ended', 'first', 'second')).toEqual([0, 1_000, 1_000]);
    tried(delay, 1, later, 'first');
    tried(delay, 3, later, 'third');
    expect(waits(later, 'first', 'second', 'third')).toEqual([2_000, 0, 1_000]);
  });
});

describe('LogInLimits', () => {
  /** Tries to log in. @returns whether the attempt was allowed */
  function tries(limits: LogInLimits, client: string, account: string, now = 0): boolean {
    try {
      limits.take(client, account, now);
      return true;
    } catch (error) {
      if (!(error instanceof TooManyLogIns)) throw error;
      return false;
    }
  }

  /** How many of the attempts were allowed. */
  const allowed = (times: number, work: (n: number) => boolean) =>
    Array.from({ length: times }, (_, n) => work(n)).filter(Boolean).length;

  it('allows a client five attempts on an account, and delays further ones', () => {
    const limits = new LogInLimits();
    expect(allowed(20, () => tries(limits, 'client', 'admin'))).toBe(5);
    expect(tries(limits, 'client', 'other')).toBe(true);
    expect(tries(limits, 'other client', 'admin')).toBe(true);
    expect(tries(limits, 'client', 'admin', 1_000)).toBe(true);
    expect(() => limits.take('client', 'admin', 1_500)).toThrow(
      expect.objectContaining({ headers: { 'Retry-After': '2' } }),
    );
  });

  it('allows twenty attempts on an account from all clients, then delays them for at most a minute', () => {
    const limits = new LogInLimits();
    expect(allowed(40, (n) => tries(limits, `client ${n}`, 'admin'))).toBe(20);
    expect(allowed(20, (n) => tries(limits, `client ${n}`, 'admin', 1_000))).toBe(1);
    expect(tries(limits, 'client', 'admin', 2_000)).toBe(false);
    expect(tries(limits, 'client', 'admin', 3_000)).toBe(true);
    expect(tries(limits, 'client', 'other', 3_000)).toBe(true);
    let now = 3_000;
    for (let n = 0; n < 100; n += 1) tries(limits, `client ${n}`, 'admin', (now += 60_000));
    expect(tries(limits, 'client', 'admin', now + 59_000)).toBe(false);
    expect(tries(limits, 'client', 'admin', now + 60_000)).toBe(true);
  });

  it('counts attempts that are still running', () => {
    const limits = new LogInLimits();
    const now = 10_000_000;
    const open = Array.from({ length: 5 }, () => limits.take('client', 'admin', now));
    expect(() => limits.take('client', 'admin', now)).toThrow(TooManyLogIns);
    open[0]!.abandoned();
    expect(allowed(20, () => tries(limits, 'client', 'admin', now))).toBe(1);
  });

  it('allows a client a hundred guesses, over all accounts, even when it logs in to its own in between', () => {
    const limits = new LogInLimits();
    // Hours after the start.
    const now = 10_000_000;
    const guess = (n: number) => tries(limits, 'client', `victim ${n}`, now);
    for (let n = 0; n < 99; n += 1) {
      expect(guess(n)).toBe(true);
      limits.take('client', 'own', now).succeeded();
    }
    expect(allowed(10, guess)).toBe(1);
    expect(tries(limits, 'other client', 'victim 3', now)).toBe(true);
  });

  it('allows a client that has logged in before, even while others guess, also its own key as a user name', () => {
    const limits = new LogInLimits();
    for (let n = 0; n < 4; n += 1) limits.take('home', 'admin', 0);
    limits.take('home', 'admin', 0).succeeded();
    for (const name of ['admin', '["home","admin"]'])
      for (let n = 0; n < 40; n += 1) tries(limits, `client ${n}`, name);
    expect(tries(limits, 'elsewhere', 'admin')).toBe(false);
    expect(allowed(20, () => tries(limits, 'home', 'admin'))).toBe(5);
  });
});
