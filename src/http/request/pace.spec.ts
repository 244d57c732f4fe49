import { jest } from '@jest/globals';
import { LARGE_HOLDER_BYTES_PER_SECOND, Pace, SLOW_BYTES_PER_SECOND } from './pace.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const CHUNK = Buffer.alloc(40_960);

/** Chunks that take some time to make. */
async function* chunksOf(count: number, makeMs: number): AsyncGenerator<Buffer> {
  for (let made = 0; made < count; made += 1) {
    if (makeMs > 0) await jest.advanceTimersByTimeAsync(makeMs);
    yield CHUNK;
  }
}

describe('Pace', () => {
  // 40 KiB take 1,250 ms at 32 KiB/s, and 39 ms at 1 MiB/s.
  it.each<[string, number, { makeMs?: number; takeMs?: number }, ...boolean[]]>([
    ['a slow source without delay', 20, { makeMs: 100_000 }, false, false, false],
    ['33 KiB/s', 20, { takeMs: 1_200 }, false, false, true],
    ['16 KiB/s', 20, { takeMs: 2_500 }, false, true, true],
    ['at exactly the minimum rate after the first minute', 20, { takeMs: 10_000 }, false, true, true],
    ['nothing for 71 s', 1, { takeMs: 71_000 }, true, true, true],
    ['below the minimum rate on average', 12, { takeMs: 16_000 }, true, true, true],
  ])('sees how slow a reader is: %s', async (__, chunks, { makeMs = 0, takeMs = 0 }, ...expected) => {
    const onTooSlow = jest.fn();
    const pace = new Pace(4_096, 1_000);
    for await (const _ of pace.measure(chunksOf(chunks, makeMs), onTooSlow)) {
      await jest.advanceTimersByTimeAsync(takeMs);
    }
    expect(jest.getTimerCount()).toBe(0);
    const lags = [SLOW_BYTES_PER_SECOND, LARGE_HOLDER_BYTES_PER_SECOND].map((rate) => pace.lagMs(rate) > 0);
    expect([onTooSlow.mock.calls.length > 0, ...lags]).toEqual(expected);
  });

  it('reports a lag for a paused reader, even after fast reads', async () => {
    const pace = new Pace(4_096, 1_000);
    let taken = 0;
    for await (const _ of pace.measure(chunksOf(1_000, 0), () => undefined)) {
      taken += 1;
      if (taken < 1_000) continue;
      await jest.advanceTimersByTimeAsync(2_000);
      expect(pace.lagMs(SLOW_BYTES_PER_SECOND)).toBe(-250);
      await jest.advanceTimersByTimeAsync(2_000);
      expect(pace.lagMs(SLOW_BYTES_PER_SECOND)).toBe(1_750);
    }
  });

  it('allows a pause after gigabytes', async () => {
    const pace = new Pace(4_096, 1_000);
    const onTooSlow = jest.fn();
    pace.add(10 ** 10);
    for await (const _ of pace.measure(chunksOf(1, 0), onTooSlow))
      await jest.advanceTimersByTimeAsync(60_000);
    expect(onTooSlow).not.toHaveBeenCalled();
  });

  it('ends the source when the reader stops', async () => {
    let isOpen = true;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield CHUNK;
        yield CHUNK;
      } finally {
        isOpen = false;
      }
    }
    for await (const _ of new Pace(4_096, 1_000).measure(source(), () => undefined)) break;
    expect([isOpen, jest.getTimerCount()]).toEqual([false, 0]);
  });
});
