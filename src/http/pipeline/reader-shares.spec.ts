import { jest } from '@jest/globals';
import { aReader } from '../../../test/support/reader.js';
import { TooManyResponses } from '../../problem-details/problems.js';
import { SLOW_BYTES_PER_SECOND } from '../response/response-reader.js';
import { ReaderShares, type Release } from './reader-shares.js';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
afterEach(() => jest.useRealTimers());

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

/** A slow reader that releases its share when it is ended. */
async function slowReader(
  shares: ReaderShares,
  { client = 'slow', amount = 1, lagMs = 10 }: { client?: string; amount?: number; lagMs?: number } = {},
): Promise<{ ended: () => boolean }> {
  const end = jest.fn(() => release());
  const release = await shares.wait(aReader({ client, lagMs: () => lagMs, end }), amount);
  return { ended: () => end.mock.calls.length > 0 };
}

describe('ReaderShares', () => {
  it('gives one client at most half of the resource', async () => {
    const shares = new ReaderShares(4);
    const greedy = Array.from({ length: 4 }, () => watch(shares.wait(aReader({ client: 'greedy' }), 1)));
    const other = watch(shares.wait(aReader(), 1));
    await after(250);
    expect(greedy.map(({ state }) => state)).toEqual(['has it', 'has it', 'waits', 'waits']);
    expect(other.state).toBe('has it');
    expect(shares.held).toBe(3);
  });

  it('gives a reader any amount when nothing is in use', async () => {
    const shares = new ReaderShares(10);
    const release = await shares.wait(aReader(), 1_000);
    const next = watch(shares.wait(aReader(), 1));
    release();
    await after(250);
    expect(next.state).toBe('has it');
  });

  it('lets a response wait for 6 s, then refuses it', async () => {
    const shares = new ReaderShares(1);
    const release = await shares.wait(aReader(), 1);
    const waiting = watch(shares.wait(aReader(), 1));
    await after(5_750);
    expect(waiting.state).toBe('waits');
    await after(500);
    expect(waiting.state).toBe(TooManyResponses.name);
    release();
    expect(shares.held).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives free room to the client that holds least', async () => {
    const shares = new ReaderShares(4);
    const releases = await Promise.all([
      shares.wait(aReader({ client: 'a' }), 1),
      shares.wait(aReader({ client: 'b' }), 1),
      shares.wait(aReader({ client: 'b' }), 1),
      shares.wait(aReader({ client: 'c' }), 1),
    ]);
    const again = watch(shares.wait(aReader({ client: 'a' }), 1));
    const first = watch(shares.wait(aReader({ client: 'd' }), 1));
    releases[1]();
    await after(250);
    expect([again.state, first.state]).toEqual(['waits', 'has it']);
  });

  it('ends one slow reader for each waiting response, the furthest behind first', async () => {
    const shares = new ReaderShares(3);
    const readers = [
      await slowReader(shares, { client: 'a', lagMs: 5 }),
      await slowReader(shares, { client: 'b', lagMs: 50 }),
      await slowReader(shares, { client: 'c', lagMs: -5 }),
    ];
    expect(watch(shares.wait(aReader(), 1)).state).toBe('waits');
    await after(250);
    expect(readers.map(({ ended }) => ended())).toEqual([false, true, false]);
    watch(shares.wait(aReader(), 1));
    await after(250);
    expect(readers.map(({ ended }) => ended())).toEqual([true, true, false]);
    const refused = watch(shares.wait(aReader(), 1));
    await after(6_250);
    expect(refused.state).toBe(TooManyResponses.name);
    expect(readers[2]!.ended()).toBe(false);
  });

  it('first ends readers of a client above its fair share, by a higher minimum rate', async () => {
    const shares = new ReaderShares(3);
    const lagMs = (rate: number): number => (rate === SLOW_BYTES_PER_SECOND ? -1 : 1);
    const ended: string[] = [];
    const hold = async (client: string): Promise<void> => {
      const release = await shares.wait(
        aReader({ client, lagMs, end: () => (ended.push(client), release()) }),
        1,
      );
    };
    await hold('greedy');
    await hold('greedy');
    await slowReader(shares, { client: 'slow', lagMs: 1_000_000 });
    const waiting = watch(shares.wait(aReader(), 1));
    await after(250);
    expect([ended, waiting.state]).toEqual([['greedy'], 'has it']);
  });

  it('ends only readers of the same client when that client has its full share', async () => {
    const shares = new ReaderShares(4);
    const other = await slowReader(shares, { client: 'other', lagMs: 1_000 });
    const own = [
      await slowReader(shares, { client: 'own', lagMs: 1 }),
      await slowReader(shares, { client: 'own', lagMs: -1 }),
    ];
    const waiting = watch(shares.wait(aReader({ client: 'own' }), 1));
    await after(250);
    expect([other, ...own].map(({ ended }) => ended())).toEqual([false, true, false]);
    expect(waiting.state).toBe('has it');
  });

  it('finds readers that become slow while a response waits', async () => {
    const shares = new ReaderShares(1);
    let lag = -1;
    const end = (): void => release();
    const release = await shares.wait(aReader({ lagMs: () => lag, end }), 1);
    const waiting = watch(shares.wait(aReader(), 1));
    await after(2_000);
    expect(waiting.state).toBe('waits');
    lag = 1;
    await after(250);
    expect(waiting.state).toBe('has it');
  });

  it('removes a waiting response when its client disconnects', async () => {
    const shares = new ReaderShares(1);
    const release = await shares.wait(aReader(), 1);
    const controller = new AbortController();
    const waiting = watch(shares.wait(aReader({ signal: controller.signal }), 1));
    controller.abort(new RangeError('gone'));
    await after(250);
    expect(waiting.state).toBe('RangeError');
    release();
    expect([shares.held, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('refuses a response at once when too many responses wait', async () => {
    const shares = new ReaderShares(1);
    await shares.wait(aReader(), 1);
    const ofOne = Array.from({ length: 17 }, () => watch(shares.wait(aReader({ client: 'greedy' }), 1)));
    const other = watch(shares.wait(aReader(), 1));
    await after(250);
    expect(ofOne.filter(({ state }) => state === 'waits')).toHaveLength(16);
    expect(other.state).toBe('waits');
    const others = Array.from({ length: 240 }, () => watch(shares.wait(aReader(), 1)));
    await after(250);
    expect(others.filter(({ state }) => state === 'waits')).toHaveLength(239);
  });

  it('ends slow readers to make room at once, and refuses when there are none', async () => {
    const shares = new ReaderShares(100);
    const ends = [jest.fn(), jest.fn()];
    for (const end of ends) shares.take(aReader({ lagMs: () => 1, end }), 50);
    shares.take(aReader(), 60);
    expect(ends.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    expect(shares.held).toBe(60);
    expect(() => shares.take(aReader(), 60)).toThrow(TooManyResponses);
    shares.force(aReader(), 60);
    expect(shares.held).toBe(120);
  });
});
