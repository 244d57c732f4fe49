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
