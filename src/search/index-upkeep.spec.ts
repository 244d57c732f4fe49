import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { BatchedWords, IndexMerges } from './index-upkeep.js';

const events = new EventEmitter();

describe('BatchedWords', () => {
  it('sorts once for all posts that arrive together, and again for later ones', async () => {
    let sorted = 0;
    const words: BatchedWords = new BatchedWords(async () => {
      sorted += 1;
      if (sorted === 1) words.note();
      events.emit('sorted');
    });
    for (let count = 0; count < 100; count++) words.note();
    expect(sorted).toBe(0);
    await once(events, 'sorted');
    expect(sorted).toBe(1);
    await once(events, 'sorted');
    expect(sorted).toBe(2);
    await setImmediate();
    words.note();
    await once(events, 'sorted');
    expect(sorted).toBe(3);
  });

  it('sorts again with the next words after a failure', async () => {
    const outcomes = [() => Promise.reject(new Error('down')), () => Promise.resolve()];
    const words = new BatchedWords(() => {
      events.emit('sorted');
      return outcomes.shift()!();
    });
    words.note();
    await once(events, 'sorted');
    await setImmediate();
    words.note();
    await once(events, 'sorted');
    expect(outcomes).toEqual([]);
  });
});

describe('IndexMerges', () => {
  it('merges nothing while few pages were added', () => {
    const merges = new IndexMerges();
    expect(Array.from({ length: 7 }, () => merges.due(500))).toEqual(Array.from({ length: 7 }, () => 0));
  });

  it('merges as many pages as were added, one by one or at once', () => {
    const alone = new IndexMerges();
    const pages = Array.from({ length: 64 }, () => alone.due(512));
    expect(pages.filter((each) => each > 0)).toEqual(Array.from({ length: 8 }, () => 8));
    expect(new IndexMerges().due(64 * 512)).toBe(64);
  });

  it('merges at most 128 pages, and leaves the rest to SQLite', () => {
    const merges = new IndexMerges();
    expect(merges.due(64 * 1_024 * 1_024)).toBe(128);
    expect(merges.due(512)).toBe(0);
  });
});
