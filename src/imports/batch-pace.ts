/** What a transaction of an import is to take, its commit included: a single write waits for it, and is to be done in 100 ms. */
const TARGET_MS = 35;
const MIN_ROWS = 50;
const MAX_ROWS = 2_000;
/** One slow commit says little, so the size changes by no more than this at a time. */
const MAX_CHANGE = 1.5;

/** How many posts a transaction of an import stores: as many as this machine stores in the time that others can wait. */
export class BatchPace {
  rows = 250;

  /** @param ms what a batch of so many rows has taken */
  note(rows: number, ms: number): void {
    const change = Math.min(MAX_CHANGE, Math.max(1 / MAX_CHANGE, TARGET_MS / ms));
    this.rows = Math.round(Math.min(MAX_ROWS, Math.max(MIN_ROWS, rows * change)));
  }
}
