import { jest } from '@jest/globals';
import { MODEST_BYTES_PER_SECOND, SLOW_BYTES_PER_SECOND } from '../request/client-shares.js';
import { ReaderPace } from './response-reader.js';

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

/** Reads the chunks, and waits after each one. */
async function read(
  chunks: number,
  { makeMs = 0, takeMs = 0 },
): Promise<{ isTooSlow: boolean; lagMs: number; modestLagMs: number }> {
  const onTooSlow = jest.fn();
  const pace = new ReaderPace();
  for await (const _ of pace.measure(chunksOf(chunks, makeMs), onTooSlow)) {
    await jest.advanceTimersByTimeAsync(takeMs);
  }
  expect(jest.getTimerCount()).toBe(0);
  const [lagMs, modestLagMs] = [SLOW_BYTES_PER_SECOND, MODEST_BYTES_PER_SECOND].map((rate) =>
    pace.lagMs(rate),
  );
  return { isTooSlow: onTooSlow.mock.calls.length > 0, lagMs: lagMs!, modestLagMs: modestLagMs! };
}

describe('ReaderPace', () => {
  it.each([
    ['without delay', 20, { takeMs: 0 }, false],
    ['at exactly the minimum rate after the first minute', 20, { takeMs: 10_000 }, false],
    ['nothing for 71 s', 1, { takeMs: 71_000 }, true],
    ['below the minimum rate on average', 12, { takeMs: 16_000 }, true],
    ['a slow source without delay', 20, { makeMs: 100_000 }, false],
  ])('tells whether a reader is too slow: it reads %s', async (_, chunks, times, found) => {
    expect((await read(chunks, times)).isTooSlow).toBe(found);
  });

  // 40 KiB take 1,250 ms at 32 KiB/s, and 39 ms at 1 MiB/s.
  it.each([
    ['reads without delay', 20, { takeMs: 0 }, false, false],
    ['reads 33 KiB/s', 20, { takeMs: 1_200 }, false, true],
    ['reads 16 KiB/s', 20, { takeMs: 2_500 }, true, true],
    ['reads a slow source without delay', 20, { makeMs: 100_000 }, false, false],
  ])('tells whether a reader is behind the two rates: it %s', async (_, chunks, times, isSlow, isModest) => {
    const { lagMs, modestLagMs } = await read(chunks, times);
    expect([lagMs > 0, modestLagMs > 0]).toEqual([isSlow, isModest]);
  });

  it('reports a lag for a paused reader, even after fast reads', async () => {
    const pace = new ReaderPace();
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
    for await (const _ of new ReaderPace().measure(source(), () => undefined)) break;
    expect([isOpen, jest.getTimerCount()]).toEqual([false, 0]);
  });
});
