import { IndexMerges } from './index-upkeep.js';

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
