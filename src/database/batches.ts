import type { Client } from '../limits/index.js';
import { DatabaseFault, type DatabaseFaultKind } from './database-fault.js';

/** Large enough to spread the cost of a query or a commit, small enough that the first item does not wait long. */
const MAX_ITEMS = 64;
/** In UTF-16 units. Longer texts take so long that batching gains nothing. */
const MAX_LENGTH = 1024 * 1024;

/** What became of one item of a batch. */
export type Outcome<Result> = { readonly result: Result } | { readonly refused: unknown };

/** One outcome for each item, in the order of the items. */
export type Outcomes<Result> = readonly Outcome<Result>[];

/** With which other items an item may form a batch. */
export interface ItemOptions {
  /** Items with the same key never run together. */
  readonly key?: unknown;
  /** The length of the item's texts, in UTF-16 units. */
  readonly length?: number | undefined;
  /** The client that waits for the item. */
  readonly client?: Client | undefined;
}

export interface BatchOptions<Item, Result> {
  /** While this many batches run, further items wait for the next batch. */
  readonly maxRunning: number;
  /** The most items of a batch. */
  readonly maxItems?: number | undefined;
  /** How many items may wait: a quarter of them those of one client. */
  readonly maxWaiting?: number;
  /** How long an item waits for its batch, in milliseconds. */
  readonly maxWaitMs?: number | undefined;
  /** Whether the items of different clients take turns. */
  readonly takesTurns?: boolean;
  /**
   * @param take returns the items of the batch, which may be none when all have given up. Until its first call, more
   *   items join, and those that have waited too long give up.
   */
  readonly run: (take: () => readonly Item[]) => Promise<Outcomes<Result>>;
}

interface Waiting<Item, Result> extends ItemOptions {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  /** From `performance.now()`. */
  readonly since: number;
}

/** One client has at most this part of the line. */
const CLIENT_PART = 1 / 4;
/** How often the line is looked through for items whose client has gone, or which have waited too long. */
const LOOK_THROUGH_MS = 500;

/**
 * Handles items that arrive at the same time together, at a fraction of the cost of each alone. There is no delay: an
 * item that arrives alone is handled at once, and items that arrive meanwhile form the next batch.
 */
export class Batches<Item, Result> {
  #waiting: Waiting<Item, Result>[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: BatchOptions<Item, Result>) {}

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @throws DatabaseFault `busy` when too many items wait already, or this one has waited too long
   * @throws the reason of the client's signal when its client has gone before its batch
   */
  add(item: Item, { key, length, client }: ItemOptions = {}): Promise<Result> {
    if (this.#isFull(client)) return Promise.reject(new DatabaseFault('busy'));
    return new Promise((resolve, reject) => {
      const since = performance.now();
      this.#waiting.push({ item, key, length, client, resolve, reject, since });
      this.#lookThroughLater();
      if (this.#running === this.options.maxRunning) return;
      this.#running += 1;
      // The requests that have arrived form one batch, once the event loop has read them.
      setImmediate(() => void this.#runWaiting());
    });
  }

  #isFull(client: Client | undefined): boolean {
    const { maxWaiting = Infinity } = this.options;
    const { length } = this.#waiting;
    if (length >= maxWaiting) return true;
    if (length < maxWaiting * CLIENT_PART) return false;
    if (!client) return false;
    const { name } = client;
    const ofClient = this.#waiting.filter((each) => each.client?.name === name);
    return ofClient.length >= maxWaiting * CLIENT_PART;
  }

  #lookThroughLater(): void {
    const { maxWaitMs = Infinity } = this.options;
    this.#timer ??= setTimeout(() => this.#lookThrough(), Math.min(maxWaitMs, LOOK_THROUGH_MS)).unref();
  }

  /** Rejects the items that nobody waits for any longer. */
  #lookThrough(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { maxWaitMs = Infinity } = this.options;
    const latest = performance.now() - maxWaitMs;
    this.#waiting = this.#waiting.filter(({ client, since, reject }) => {
      const isGone = client?.isGone === true;
      if (!isGone && since > latest) return true;
      reject((isGone && client.signal?.reason) || new DatabaseFault('busy'));
      return false;
    });
    if (this.#waiting.length > 0) this.#lookThroughLater();
  }

  async #runWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#runBatch();
    this.#running -= 1;
  }

  async #runBatch(): Promise<void> {
    let batch: readonly Waiting<Item, Result>[] | undefined;
    const take = (): readonly Item[] => {
      batch ??= this.#nextBatch();
      const items: Item[] = [];
      for (const { item } of batch) items.push(item);
      return items;
    };
    try {
      const outcomes = await this.options.run(take);
      settle(batch ?? [], outcomes);
    } catch (fault) {
      // Before the batch was taken, such as without a connection, the fault is that of the items that wait now.
      batch ??= this.#nextBatch();
      if (batch.length === 1 || !isFaultOfOne(fault)) for (const { reject } of batch) reject(fault);
      else await this.#runOneByOne(batch);
    }
  }

  /** After a fault that only one of the items has caused. */
  async #runOneByOne(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const waiting of batch) {
      try {
        settle([waiting], await this.options.run(() => [waiting.item]));
      } catch (fault) {
        waiting.reject(fault);
      }
    }
  }

  /** The oldest items, up to the first that does not fit. Later items with the same key wait. */
  #nextBatch(): readonly Waiting<Item, Result>[] {
    const { maxItems = MAX_ITEMS, takesTurns } = this.options;
    if (this.#waiting.some(({ client }) => client?.isGone)) this.#lookThrough();
    if (takesTurns && this.#waiting.length > 1) this.#waiting = inTurns(this.#waiting);
    const keys = new Set<unknown>();
    const later: Waiting<Item, Result>[] = [];
    const batch: Waiting<Item, Result>[] = [];
    let total = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      const { key = waiting, length = 0 } = waiting;
      total += length;
      if (batch.length === maxItems || (batch.length > 0 && total > MAX_LENGTH)) break;
      taken += 1;
      if (keys.has(key)) {
        later.push(waiting);
      } else {
        batch.push(waiting);
      }
      keys.add(key);
    }
    this.#waiting = later.concat(this.#waiting.slice(taken));
    return batch;
  }
}

function settle<Item, Result>(batch: readonly Waiting<Item, Result>[], outcomes: Outcomes<Result>): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index];
    if (!outcome) reject(new Error('An item of a batch has no outcome.'));
    else if ('refused' in outcome) reject(outcome.refused);
    else resolve(outcome.result);
  }
}

/** The first item of each client, then the second of each, and so on. */
function inTurns<Item extends ItemOptions>(items: readonly Item[]): Item[] {
  const turns: Item[][] = [];
  const counts = new Map<unknown, number>();
  for (const item of items) {
    const client = item.client?.name;
    const turn = counts.get(client) ?? 0;
    counts.set(client, turn + 1);
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
