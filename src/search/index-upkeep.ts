import { setTimeout as sleep } from 'node:timers/promises';

/** An import gathers some 10 MB in that time and the sorting, which searches look through. */
const PAUSE_MS = 250;

/**
 * Puts words in their places where an index gathers them first, as on PostgreSQL. A server does that by itself, within the
 * INSERT that makes the list too long: whoever sent that one waits for a second and more. Here nobody does, and an import
 * has the work done by another process of the server.
 */
export class BatchedWords {
  #isAny = false;
  #isSorting = false;

  /** @param sort undefined where an index gathers nothing */
  constructor(private readonly sort: (() => Promise<unknown>) | undefined) {}

  /** Words have been added to the index. */
  note(): void {
    this.#isAny = true;
    if (this.sort && !this.#isSorting) void this.#sort(this.sort);
  }

  async #sort(sort: () => Promise<unknown>): Promise<void> {
    this.#isSorting = true;
    while (this.#isAny) {
      await sleep(PAUSE_MS, undefined, { ref: false });
      this.#isAny = false;
      // A list that is not sorted is looked through all the same, and the next words bring another attempt.
      await sort().catch(() => undefined);
    }
    this.#isSorting = false;
  }
}

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
