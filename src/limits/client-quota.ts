import { TooBusy } from '../problem-details/index.js';

/** One client holds at most this part of a resource. */
const CLIENT_PART = 1 / 4;
const MAX_WAIT_MS = 6_000;
const MAX_WAITING = 256;

/** The client for which a part of a resource is held. */
export interface Client {
  /** See client-address.ts. */
  readonly name: string;
  /** By which limits identify a client without a token, and which the change log shows. */
  readonly address?: string;
  /** Aborted when it disconnects before the response is complete. Without one, the work goes on, such as a write. */
  readonly signal?: AbortSignal;
  /** Whether it has disconnected, for those who look from time to time. */
  readonly isGone?: boolean;
}

/** Returns a part of a resource; a second call has no effect. */
export type Release = () => void;

/**
 * A bounded resource, of which one client holds at most a quarter: bytes, bodies, imports, snapshots, connections. A
 * client that holds nothing may take more than a quarter, if that much is free.
 */
export class ClientQuota {
  readonly #perClient: number;
  readonly #held = new Map<string, number>();
  /** Each takes its part, if there is room. */
  readonly #line = new Set<() => void>();
  /** How many of the line are those of each client. */
  readonly #waiting = new Map<string, number>();
  #total = 0;

  /** @param maxWaiting the length of the line; when it is full, requests are refused at once */
  constructor(
    private readonly total: number,
    private readonly maxWaitMs = MAX_WAIT_MS,
    private readonly maxWaiting = MAX_WAITING,
  ) {
    this.#perClient = Math.ceil(total * CLIENT_PART);
  }

  get held(): number {
    return this.#total;
  }

  /** How many wait for their part. */
  get waiting(): number {
    return this.#line.size;
  }

  /** @returns false when there is no room, and then nothing is taken */
  take(client: string, amount = 1): boolean {
    const held = this.#held.get(client) ?? 0;
    const isBeyondQuarter = held > 0 && held + amount > this.#perClient;
    // Alone, a client may take more than there is: an old post may be larger than today's limits.
    const isBeyondTotal = this.#total > 0 && this.#total + amount > this.total;
    if (isBeyondQuarter || isBeyondTotal) return false;
    this.#held.set(client, held + amount);
    this.#total += amount;
    return true;
  }

  /** Takes a part that is there now. @throws TooBusy when there is no room */
  takeNow(client: string, amount = 1): void {
    if (!this.take(client, amount)) throw new TooBusy();
  }

  give(client: string, amount = 1): void {
    const held = (this.#held.get(client) ?? 0) - amount;
    if (held > 0) this.#held.set(client, held);
    else this.#held.delete(client);
    this.#total -= amount;
    for (const tryNow of this.#line) tryNow();
  }

  /**
   * Takes a part, and waits for a limited time when there is no room. All wait in one line; a client that holds its
   * quarter does not stop those behind it.
   *
   * @param maxWaitMs for this part, in milliseconds
   * @throws TooBusy when there is still no room
   * @throws the signal's reason when the client disconnects
   */
  wait({ name, signal }: Client, amount = 1, maxWaitMs = this.maxWaitMs): Promise<Release> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const ofClient = this.#waiting.get(name) ?? 0;
      const isFull = this.#line.size >= this.maxWaiting || ofClient >= this.maxWaiting * CLIENT_PART;
      if (isFull) throw new TooBusy();
      const leave = (): void => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', onAbort);
        this.#line.delete(tryNow);
        this.#count(name, -1);
      };
      const giveUp = (reason: Error): void => {
        leave();
        reject(reason);
      };
      const tryNow = (): void => {
        if (!this.take(name, amount)) return;
        leave();
        let isHeld = true;
        resolve(() => {
          if (isHeld) this.give(name, amount);
          isHeld = false;
        });
      };
      const onAbort = (): void => giveUp(signal!.reason as Error);
      const timeout = setTimeout(() => giveUp(new TooBusy()), maxWaitMs);
      signal?.addEventListener('abort', onAbort);
      this.#line.add(tryNow);
      this.#count(name, 1);
      tryNow();
    });
  }

  #count(client: string, change: 1 | -1): void {
    const waiting = (this.#waiting.get(client) ?? 0) + change;
    if (waiting > 0) this.#waiting.set(client, waiting);
    else this.#waiting.delete(client);
  }
}
