import { TooManyLogIns } from './accounts.problems.js';
import { LogInLimits } from './log-in-limits.js';

/** Tries to log in. @returns whether the attempt was allowed */
function tries(
  limits: LogInLimits,
  client: string,
  account: string,
  now: number,
  end: (each: ReturnType<LogInLimits['take']>) => void = () => undefined,
): boolean {
  try {
    end(limits.take(client, account, now));
    return true;
  } catch (error) {
    if (!(error instanceof TooManyLogIns)) throw error;
    return false;
  }
}

const fails = (limits: LogInLimits, client: string, account: string, now = 0) =>
  tries(limits, client, account, now);
const succeeds = (limits: LogInLimits, client: string, account: string) =>
  tries(limits, client, account, 0, (each) => each.succeeded());

const repeat = (times: number, work: (n: number) => boolean) =>
  Array.from({ length: times }, (_, n) => work(n));
const through = (results: boolean[]) => results.filter(Boolean).length;

describe('LogInLimits', () => {
  it('allows a client five attempts on an account, and delays further ones', () => {
    const limits = new LogInLimits();
    expect(through(repeat(20, () => fails(limits, 'client', 'admin')))).toBe(5);
    expect(fails(limits, 'client', 'other')).toBe(true);
    expect(fails(limits, 'other client', 'admin')).toBe(true);
  });

  it('allows twenty attempts on an account from all clients, and delays further ones', () => {
    const limits = new LogInLimits();
    expect(through(repeat(40, (n) => fails(limits, `client ${n}`, 'admin')))).toBe(20);
    expect(through(repeat(20, (n) => fails(limits, `client ${n}`, 'admin', 1_000)))).toBe(1);
    expect(fails(limits, 'client', 'admin', 2_000)).toBe(false);
    expect(fails(limits, 'client', 'admin', 3_000)).toBe(true);
    expect(fails(limits, 'client', 'other', 3_000)).toBe(true);
  });

  it('never delays an account for more than a minute', () => {
    const limits = new LogInLimits();
    let now = 0;
    for (let n = 0; n < 100; n += 1) fails(limits, `client ${n}`, 'admin', (now += 60_000));
    expect(fails(limits, 'client', 'admin', now + 59_000)).toBe(false);
    expect(fails(limits, 'client', 'admin', now + 60_000)).toBe(true);
  });

  it('allows a client a hundred attempts, over all accounts', () => {
    const limits = new LogInLimits();
    expect(through(repeat(200, (n) => fails(limits, 'client', `account ${n}`)))).toBe(100);
    expect(fails(limits, 'other client', 'account 3')).toBe(true);
  });

  it('states the seconds to wait in Retry-After', () => {
    const limits = new LogInLimits();
    repeat(6, () => fails(limits, 'client', 'admin'));
    fails(limits, 'client', 'admin', 1_000);
    expect(() => limits.take('client', 'admin', 1_500)).toThrow(
      expect.objectContaining({ headers: { 'Retry-After': '2' } }),
    );
  });

  it('counts attempts that are still running', () => {
    const limits = new LogInLimits();
    const open = Array.from({ length: 5 }, () => limits.take('client', 'admin', 0));
    expect(() => limits.take('client', 'admin', 0)).toThrow(TooManyLogIns);
    for (const each of open) each.abandoned();
    expect(through(repeat(20, () => fails(limits, 'client', 'admin')))).toBe(5);
  });

  it('counts a client’s guesses even when it logs in to its own account in between', () => {
    const limits = new LogInLimits();
    let guesses = 0;
    for (let n = 0; n < 200; n += 1) {
      if (fails(limits, 'client', `victim ${n}`)) guesses += 1;
      succeeds(limits, 'client', 'own');
    }
    expect(guesses).toBe(100);
  });

  it('does not confuse a user name with the key of a client and an account', () => {
    const limits = new LogInLimits();
    succeeds(limits, 'home', 'admin');
    repeat(20, (n) => fails(limits, `client ${n}`, '["home","admin"]'));
    expect(succeeds(limits, 'home', 'admin')).toBe(true);
    expect(through(repeat(20, () => fails(limits, 'home', 'admin')))).toBe(5);
  });

  it('allows a client that has logged in before, even while other clients guess', () => {
    const limits = new LogInLimits();
    expect(succeeds(limits, 'home', 'admin')).toBe(true);
    repeat(40, (n) => fails(limits, `client ${n}`, 'admin'));
    expect(fails(limits, 'elsewhere', 'admin')).toBe(false);
    expect(through(repeat(20, () => fails(limits, 'home', 'admin')))).toBe(5);
  });
});
