import { jest } from '@jest/globals';
import { ClientShares, type Reader, type Share } from './client-shares.js';
import { SLOW_BYTES_PER_SECOND } from './pace.js';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
afterEach(() => jest.useRealTimers());

const ended: string[] = [];
beforeEach(() => ended.splice(0));

/** Opens a share that holds an amount, and that records its end. */
function hold(shares: ClientShares, client: string, amount: number, lagMs = -1): Share {
  const share = shares.open({ client, lagMs: () => lagMs, end: () => ended.push(`${client} ${lagMs}`) });
  expect(share.resize(amount)).toBe(true);
  return share;
}

let clients = 0;

/** A reader of a response, without lag. Each has its own client. */
const aReader = (overrides: Partial<Reader> = {}): Reader => ({
  client: `client ${(clients += 1)}`,
  signal: new AbortController().signal,
  lagMs: () => -1,
  end: () => undefined,
  ...overrides,
});

type Release = () => void;

/** The state of a promise. */
function watch(pending: Promise<Release>): { state: string; release?: Release } {
  const seen: { state: string; release?: Release } = { state: 'waits' };
  pending.then(
    (release) => Object.assign(seen, { state: 'has it', release }),
    (reason: unknown) => Object.assign(seen, { state: (reason as Error).name }),
  );
  return seen;
}

/** Advances the clock and runs due timers. */
async function after(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    await jest.advanceTimersByTimeAsync(250);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a share', () => {
  it('is limited for one client over all of its requests, unless nothing is in use', () => {
    const shares = new ClientShares(100, 50);
    const large = hold(shares, 'a', 150);
    expect(shares.open({ client: 'b' }).resize(1)).toBe(false);
    large.release();
    large.release();
    hold(shares, 'a', 30);
    const second = shares.open({ client: 'a' });
    expect([second.resize(21), second.resize(20)]).toEqual([false, true]);
    expect(shares.open({ client: 'a' }).resize(1)).toBe(false);
    hold(shares, 'b', 50);
    expect(shares.held).toBe(100);
  });

  it('ends for another client when its own client is slow: first those beyond an equal part, then the slowest', () => {
    const shares = new ClientShares(100, 80);
    hold(shares, 'a', 30, 5);
    hold(shares, 'a', 40, -1);
    hold(shares, 'b', 10, 70);
    hold(shares, 'c', 20, 60);
    const newcomer = hold(shares, 'd', 25);
    expect(ended).toEqual(['a 5']);
    expect(newcomer.resize(40)).toBe(true);
    expect(ended).toEqual(['a 5', 'b 70']);
    expect(newcomer.resize(60)).toBe(true);
    expect(ended).toEqual(['a 5', 'b 70', 'c 60']);
    expect(newcomer.resize(61)).toBe(false);
    expect(shares.held).toBe(100);
  });

  it('must be slower to end when its client holds no more than an equal part', () => {
    const shares = new ClientShares(2, 2);
    const rates: number[] = [];
    const lagMs = (rate: number): number => (rates.push(rate), 0);
    for (const client of ['a', 'b']) shares.open({ client, lagMs, end: () => {} }).resize(1);
    expect(shares.open({ client: 'c' }).resize(1)).toBe(false);
    expect(rates).toEqual([SLOW_BYTES_PER_SECOND, SLOW_BYTES_PER_SECOND]);
  });
});

describe('a holder that waits', () => {
  it('gets its part when another one gives it back, in order of arrival', async () => {
    const shares = new ClientShares(1);
    const release = await shares.wait(aReader(), 1);
    const [first, second] = [watch(shares.wait(aReader(), 1)), watch(shares.wait(aReader(), 1))];
    release();
    release();
    await after(250);
    expect([first.state, second.state]).toEqual(['has it', 'waits']);
    first.release!();
    await after(250);
    expect(second.state).toBe('has it');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not block other clients when its own holds all it may hold', async () => {
    const shares = new ClientShares(4);
    const greedy = Array.from({ length: 4 }, () => watch(shares.wait(aReader({ client: 'greedy' }), 1)));
    const other = watch(shares.wait(aReader(), 1));
    await after(250);
    expect(greedy.map(({ state }) => state)).toEqual(['has it', 'has it', 'waits', 'waits']);
    expect(other.state).toBe('has it');
  });

  it('is refused after 6 s', async () => {
    const shares = new ClientShares(1);
    const release = await shares.wait(aReader(), 1);
    const waiting = watch(shares.wait(aReader(), 1));
    await after(5_750);
    expect(waiting.state).toBe('waits');
    await after(250);
    expect(waiting.state).toBe('TooManyResponses');
    release();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gets the part of a holder that becomes slow', async () => {
    const shares = new ClientShares(1);
    let lag = -1;
    const end = jest.fn();
    const release = await shares.wait(aReader({ lagMs: () => lag, end }), 1);
    const waiting = watch(shares.wait(aReader(), 1));
    await after(1_000);
    expect(end).not.toHaveBeenCalled();
    lag = 1;
    await after(500);
    expect(end).toHaveBeenCalledTimes(1);
    expect(waiting.state).toBe('waits');
    release();
    await after(250);
    expect(waiting.state).toBe('has it');
  });

  it('leaves when its client disconnects', async () => {
    const shares = new ClientShares(1);
    const release = await shares.wait(aReader(), 1);
    const controller = new AbortController();
    const waiting = watch(shares.wait(aReader({ signal: controller.signal }), 1));
    controller.abort(new RangeError());
    await after(250);
    expect(waiting.state).toBe('RangeError');
    release();
    expect(shares.held).toBe(0);
  });

  it('is refused at once when 16 of its client, or 256 of all, wait', async () => {
    const shares = new ClientShares(1);
    await shares.wait(aReader(), 1);
    const ofOne = Array.from({ length: 17 }, () => watch(shares.wait(aReader({ client: 'greedy' }), 1)));
    const others = Array.from({ length: 241 }, () => watch(shares.wait(aReader(), 1)));
    await after(250);
    expect(ofOne.filter(({ state }) => state === 'TooManyResponses')).toHaveLength(1);
    expect(others.filter(({ state }) => state === 'TooManyResponses')).toHaveLength(1);
  });
});
