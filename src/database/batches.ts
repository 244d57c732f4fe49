import { DatabaseFault, type DatabaseFaultKind } from './database-fault.js';

/** Large enough to spread the cost of a query or a commit, small enough that the first item does not wait long. */
const MAX_ITEMS = 64;
/** In UTF-16 units. Longer texts take so long that batching gains nothing. */
const MAX_LENGTH = 1024 * 1024;

/** What became of one item of a batch. */
export type Outcome<Result> = { readonly result: Result } | { readonly refused: unknown };

/** One outcome for each item; undefined for an item that must run without the others. */
export type Outcomes<Result> = readonly (Outcome<Result> | undefined)[];

/** Which items form a batch. */
export interface BatchRules<Item> {
  /** The most items of a batch. */
  readonly maxItems?: number;
  /** Items with the same key never run together. */
  readonly keyOf?: (item: Item) => unknown;
  /** The length of the item's texts, in UTF-16 units. */
  readonly lengthOf?: (item: Item) => number;
  /** The client that waits for the item. The items of different clients take turns. */
  readonly clientOf?: (item: Item) => string | undefined;
}

export interface BatchOptions<Item, Result> extends BatchRules<Item> {
  /** While this many batches run, further items wait for the next batch. */
  readonly maxRunning: number;
  /** How many items may wait. */
  readonly maxWaiting?: number;
  /** How long an item waits for its batch, in milliseconds. */
  readonly maxWaitMs?: number | undefined;
  /**
   * @param take returns the items of the batch. Until its first call, more items join, and those that have waited too
   *   long give up.
   */
  readonly run: (take: () => readonly Item[]) => Promise<Outcomes<Result>>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly timer?: NodeJS.Timeout | undefined;
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

  /** @throws DatabaseFault `busy` when too many items wait already, or this one has waited too long */
  add(item: Item): Promise<Result> {
    const { maxRunning, maxWaiting = Infinity, maxWaitMs } = this.options;
    if (this.#waiting.length >= maxWaiting) return Promise.reject(new DatabaseFault('busy'));
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        reject(new DatabaseFault('busy'));
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs).unref();
      const waiting = { item, resolve, reject, timer };
      this.#waiting.push(waiting);
      if (this.#running >= maxRunning) return;
      this.#running += 1;
      // The requests that have arrived form one batch, once the event loop has read them.
      setImmediate(() => void this.#handleWaiting());
    });
  }

  async #handleWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#handle();
    this.#running -= 1;
  }

  /** The oldest items, up to the first that does not fit. Later items with the same key wait. */
  #nextBatch(): readonly Waiting<Item, Result>[] {
    const { keyOf, lengthOf, clientOf, maxItems = MAX_ITEMS } = this.options;
    if (clientOf) this.#waiting = inTurns(this.#waiting, ({ item }) => clientOf(item));
    const keys = new Set<unknown>();
    const later: Waiting<Item, Result>[] = [];
    const batch: Waiting<Item, Result>[] = [];
    let length = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      length += lengthOf?.(waiting.item) ?? 0;
      if (batch.length === maxItems || (batch.length > 0 && length > MAX_LENGTH)) break;
      taken += 1;
      const key = keyOf?.(waiting.item) ?? waiting;
      if (keys.has(key)) later.push(waiting);
      else batch.push(waiting);
      keys.add(key);
    }
    this.#waiting = later.concat(this.#waiting.slice(taken));
    for (const { timer } of batch) clearTimeout(timer);
    return batch;
  }

  /** @param batch by default the items that wait when it begins */
  async #handle(batch?: readonly Waiting<Item, Result>[]): Promise<void> {
    let taken = batch;
    const take = (): readonly Item[] => {
      taken ??= this.#nextBatch();
      return taken.map(({ item }) => item);
    };
    let outcomes: Outcomes<Result>;
    try {
      outcomes = await this.options.run(take);
    } catch (fault) {
      taken ??= this.#nextBatch();
      if (taken.length === 1 || !isFaultOfOne(fault)) for (const { reject } of taken) reject(fault);
      else for (const waiting of taken) await this.#handle([waiting]);
      return;
    }
    for (const [index, waiting] of taken!.entries()) {
      const outcome = outcomes[index];
      if (!outcome && taken!.length === 1) waiting.reject(new Error('An item alone has no outcome.'));
      // The other items do not wait for it.
      else if (!outcome) void this.#handle([waiting]);
      else if ('refused' in outcome) waiting.reject(outcome.refused);
      else waiting.resolve(outcome.result);
    }
  }
}

/** The first item of each client, then the second of each, and so on. */
function inTurns<Item>(items: readonly Item[], clientOf: (item: Item) => unknown): Item[] {
  const turns: Item[][] = [];
  const counts = new Map<unknown, number>();
  for (const item of items) {
    const turn = counts.get(clientOf(item)) ?? 0;
    counts.set(clientOf(item), turn + 1);
    (turns[turn] ??= []).push(item);
  }
  return turns.flat();
}

/** The other kinds concern the whole database. */
const KINDS_OF_ONE: ReadonlySet<DatabaseFaultKind> = new Set(['unexpected', 'duplicate', 'full']);

/** Whether one item may have caused the fault, so that the others can still be handled. */
function isFaultOfOne(fault: unknown): boolean {
  return !(fault instanceof DatabaseFault) || KINDS_OF_ONE.has(fault.kind);
}
