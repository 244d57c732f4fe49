import { setTimeout as sleep } from 'node:timers/promises';
import { GatheredWords } from './gathered-words.js';

/** Longer than it waits for more words. */
const A_WHILE_MS = 400;

describe('GatheredWords', () => {
  it('are sorted once for all that came together, and again for what comes while they are', async () => {
    let sorted = 0;
    const words: GatheredWords = new GatheredWords(async () => {
      sorted += 1;
      if (sorted === 1) words.note();
    });
    for (let count = 0; count < 100; count++) words.note();
    expect(sorted).toBe(0);
    await sleep(A_WHILE_MS);
    expect(sorted).toBe(1);
    await sleep(A_WHILE_MS);
    expect(sorted).toBe(2);
    await sleep(A_WHILE_MS);
    expect(sorted).toBe(2);
  });

  it('are sorted with the next ones when that failed', async () => {
    const outcomes = [() => Promise.reject(new Error('down')), () => Promise.resolve()];
    const words = new GatheredWords(() => outcomes.shift()!());
    words.note();
    await sleep(A_WHILE_MS);
    words.note();
    await sleep(A_WHILE_MS);
    expect(outcomes).toEqual([]);
  });
});
