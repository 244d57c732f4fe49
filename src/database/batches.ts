import { DatabaseFault } from './database-fault.js';
import type { Outcome } from './transaction.js';

/** Large enough to spread the cost of a query or a commit, small enough that the first item does not wait long. */
const MAX_ITEMS = 64;
/** In UTF-16 units. Longer texts take so long that batching gains nothing. */
const MAX_LENGTH = 1024 * 1024;

interface BatchOptions<Item, Result> {
  /** While this many batches run, further items wait for the next batch. */
  readonly maxRunning: number;
  /** How many items may wait. */
  readonly maxWaiting?: number;
  readonly keyOf?: (item: Item) => unknown;
  readonly lengthOf?: (item: Item) => number;
  /** Handles items with different keys. An item whose outcome is undefined is handled again, alone. */
  readonly run: (items: readonly Item[]) => Promise<readonly (Outcome<Result> | undefined)[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Handles items that arrive at the same time together, at a fraction of the cost of each alone. There is no delay: an
 * item that arrives alone is handled at once, and items that arrive meanwhile form the next batch.
 */
export class Batches<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(private readonly options: BatchOptions<Item, Result>) {}

  get waiting(): number {
    return this.#waiting.length;
  }

  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** @throws DatabaseFault `busy` when too many items wait already */
  add(item: Item): Promise<Result> {
    if (this.#waiting.length >= (this.options.maxWaiting ?? Infinity))
      return Promise.reject(new DatabaseFault('busy'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running < this.options.maxRunning) this.#start();
    });
  }

  /** Starts once the event loop has read the requests that have arrived: they form one batch. */
  #start(): void {
    this.#running += 1;
    setImmediate(() => void this.#handleWaiting());
  }

  async #handleWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#handle(this.#nextBatch());
    this.#running -= 1;
  }

  /** The oldest items, up to the first that does not fit. Later items with the same key wait. */
  #nextBatch(): readonly Waiting<Item, Result>[] {
    if (this.#waiting.length === 1) return this.#waiting.splice(0);
    const { keyOf, lengthOf } = this.options;
    const keys = new Set<unknown>();
    const later: Waiting<Item, Result>[] = [];
    const batch: Waiting<Item, Result>[] = [];
    let length = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      length += lengthOf?.(waiting.item) ?? 0;
      if (batch.length === MAX_ITEMS || (batch.length > 0 && length > MAX_LENGTH)) break;
      taken += 1;
      const key = keyOf?.(waiting.item) ?? waiting;
      if (keys.has(key)) later.push(waiting);
      else batch.push(waiting);
      keys.add(key);
    }
    this.#waiting = later.concat(this.#waiting.slice(taken));
    return batch;
  }

  async #handle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    let outcomes: readonly (Outcome<Result> | undefined)[];
    try {
      outcomes = await this.options.run(batch.map(({ item }) => item));
    } catch (fault) {
      if (batch.length > 1 && isFaultOfOne(fault)) {
        for (const waiting of batch) await this.#handle([waiting]);
      } else {
        for (const { reject } of batch) reject(fault);
      }
      return;
    }
    batch.forEach((waiting, index) => {
      const outcome = outcomes[index];
      if (!outcome && batch.length === 1) waiting.reject(new Error('An item alone has no outcome.'));
      // The other items do not wait for it.
      else if (!outcome) void this.#handle([waiting]);
      else if ('refused' in outcome) waiting.reject(outcome.refused);
      else waiting.resolve(outcome.result);
    });
  }
}

/** Whether one item may have caused the fault, so that the others can still be handled. */
function isFaultOfOne(fault: unknown): boolean {
  return !(fault instanceof DatabaseFault) || fault.kind === 'unexpected' || fault.kind === 'full';
}
