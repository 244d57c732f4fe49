/** A text's words take about half of its length, and are written once more for each of some six sizes of pieces; rounded up. */
const CODE_UNITS_PER_PAGE = 512;
/** Fewer are not worth a statement. */
const MIN_PAGES = 8;
/** Some 10 ms. What is more is left to SQLite. */
const MAX_PAGES = 128;

/**
 * Says how much of the index is to be merged after words were added to it, where each transaction adds a piece of its own, as
 * on SQLite. Left to itself FTS5 merges, at every 64th page that it writes, 64 pages for each size of pieces, and does so within
 * the COMMIT, for which all who write wait: measured, 40 ms. In small portions it is the same work, and nobody waits for long.
 */
export class IndexMerges {
  #owed = 0;

  /**
   * @param codeUnits how long the texts are whose words were added
   * @returns how many pages to merge now, 0 for none
   */
  due(codeUnits: number): number {
    this.#owed += codeUnits / CODE_UNITS_PER_PAGE;
    if (this.#owed < MIN_PAGES) return 0;
    const pages = Math.min(Math.ceil(this.#owed), MAX_PAGES);
    this.#owed = 0;
    return pages;
  }
}
