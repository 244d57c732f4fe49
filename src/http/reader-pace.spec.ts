import { jest } from '@jest/globals';
import { longestReadMs, paced } from './reader-pace.js';

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

/** Reads so many chunks, each of which it takes some time to take. @returns whether it was found too slow */
async function isTooSlow(chunks: number, { makeMs = 0, takeMs = 0 }): Promise<boolean> {
  const onTooSlow = jest.fn();
  for await (const _ of paced(chunksOf(chunks, makeMs), onTooSlow)) {
    await jest.advanceTimersByTimeAsync(takeMs);
  }
  expect(jest.getTimerCount()).toBe(0);
  return onTooSlow.mock.calls.length > 0;
}

describe('the pace of a reader', () => {
  it.each([
    ['at once', 20, { takeMs: 0 }, false],
    ['just as fast as it must, after the first minute', 20, { takeMs: 10_000 }, false],
    ['after a pause of a minute', 1, { takeMs: 69_000 }, false],
    ['nothing for more than that', 1, { takeMs: 71_000 }, true],
    ['too slowly on average', 12, { takeMs: 16_000 }, true],
    ['at once, of what is slow to come', 20, { makeMs: 100_000 }, false],
  ])('that takes it %s', async (_, chunks, times, found) => {
    expect(await isTooSlow(chunks, times)).toBe(found);
  });

  it('ends what it reads from when the reader leaves', async () => {
    let isOpen = true;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield CHUNK;
        yield CHUNK;
      } finally {
        isOpen = false;
      }
    }
    for await (const _ of paced(source(), () => undefined)) break;
    expect([isOpen, jest.getTimerCount()]).toEqual([false, 0]);
  });

  it('is a minute and the time that the size takes for a whole answer', () => {
    expect(longestReadMs(4_096_000)).toBe(60_000 + 1_000_000);
  });
});
