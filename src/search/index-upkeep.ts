import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseFault } from '../database/database-fault.js';

/** In this time, an import adds some 10 MB to the pending list, which every search scans. */
const PAUSE_MS = 250;

/**
 * Sorts the pending words into the index, on databases whose index collects new words in a pending list first
 * (PostgreSQL). The server does this by itself within the INSERT that makes the list too long, which takes that INSERT
 * more than a second. Here no request waits for it, and another server process does the work during an import.
 */
export class BatchedWords {
  #isAny = false;
  #isSorting = false;
  #isRefused = false;

  /** @param sort undefined when the index has no pending list */
  constructor(private readonly sort: (() => Promise<unknown>) | undefined) {}

  /** Call it after words were added to the index. */
  note(): void {
    this.#isAny = true;
    if (this.sort && !this.#isSorting && !this.#isRefused) void this.#sort(this.sort);
  }

  async #sort(sort: () => Promise<unknown>): Promise<void> {
    this.#isSorting = true;
    while (this.#isAny && !this.#isRefused) {
      await sleep(PAUSE_MS, undefined, { ref: false });
      this.#isAny = false;
      // Searches scan an unsorted list too, and the next added words start another attempt. A role that does not own the
      // index is refused every time; autovacuum then sorts.
      await sort().catch((error: unknown) => {
        this.#isRefused = error instanceof DatabaseFault && error.kind === 'unexpected';
      });
    }
    this.#isSorting = false;
  }
}

/**
 * A text's words take about half of its length, and are written again for each of about six segment sizes; rounded up.
 */
const CODE_UNITS_PER_PAGE = 512;
/** Fewer pages are not worth a statement. */
const MIN_PAGES = 8;
/** Some 10 ms. SQLite merges the rest by itself. */
const MAX_PAGES = 128;

/**
 * Computes how many pages of the index to merge after an insert, on databases where each transaction adds a segment
 * (SQLite). By default, FTS5 merges 64 pages per segment size at every 64th page that it writes. It does so within the
 * COMMIT, and all writes wait: measured, 40 ms. Small portions are the same work, but each wait is short.
 */
export class IndexMerges {
  #owed = 0;

  /**
   * @param codeUnits the length of the texts whose words were added
   * @returns how many pages to merge now; 0 for none
   */
  due(codeUnits: number): number {
    this.#owed += codeUnits / CODE_UNITS_PER_PAGE;
    if (this.#owed < MIN_PAGES) return 0;
    const pages = Math.min(Math.ceil(this.#owed), MAX_PAGES);
    this.#owed = 0;
    return pages;
  }
}
