import { TooManyResponses } from '../../problem-details/problems.js';
import { MODEST_BYTES_PER_SECOND, type Reader, SLOW_BYTES_PER_SECOND } from '../response/response-reader.js';

/** Longer than the time in which a reader is recognised as slow. */
const MAX_WAIT_MS = 6_000;
/** How often waiting responses check for readers that have become slow. */
const CHECK_INTERVAL_MS = 250;
/** Responses beyond these limits are rejected at once. */
const MAX_WAITING = 256;
const MAX_WAITING_PER_CLIENT = 16;

/** Releases the taken part; a second call has no effect. */
export type Release = () => void;

interface Holding {
  readonly reader: Reader;
  readonly amount: number;
  readonly release: Release;
  isEnding: boolean;
}

interface Waiting {
  readonly reader: Reader;
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * Shares a bounded resource, such as snapshots or memory, among the responses that hold a part of it until they are
 * read.
 *
 * One client holds at most half of it. While a response waits for room, slow readers are ended one at a time: first
 * readers of clients above their fair share, then the reader that is furthest behind.
 */
export class ReaderShares {
  readonly #holdings = new Set<Holding>();
  readonly #waiting: Waiting[] = [];
  readonly #heldByClient = new Map<string, number>();
  readonly #maxPerClient: number;
  #used = 0;
  #check: NodeJS.Timeout | undefined;

  /** @param maxWaitMs how long a response waits for room */
  constructor(
    private readonly capacity: number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {
    this.#maxPerClient = Math.ceil(capacity / 2);
  }

  /** The amount in use. */
  get used(): number {
    return this.#used;
  }

  /** Takes a part at once, and ends slow readers if necessary. @throws TooManyResponses */
  take(reader: Reader, amount: number): Release {
    while (!this.#fits(reader, amount)) {
      const slowest = this.#slowestFor(reader, amount);
      if (!slowest) throw new TooManyResponses();
      slowest.reader.end();
      slowest.release();
    }
    return this.#hold(reader, amount);
  }

  /** Like {@link take}, but succeeds even without room. */
  force(reader: Reader, amount: number): Release {
    try {
      return this.take(reader, amount);
    } catch {
      return this.#hold(reader, amount);
    }
  }

  /**
   * Takes a part, and waits for a limited time when there is no room.
   *
   * @throws TooManyResponses when there is still none
   * @throws the signal's reason when the reader disconnects
   */
  wait(reader: Reader, amount: number): Promise<Release> {
    const { signal } = reader;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const own = this.#waiting.filter((waiting) => waiting.reader.client === reader.client);
      if (this.#waiting.length >= MAX_WAITING || own.length >= MAX_WAITING_PER_CLIENT) {
        reject(new TooManyResponses());
        return;
      }
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      };
      const giveUp = (reason: Error): void => {
        leave();
        reject(reason);
        this.#admit();
      };
      const admit = (): void => {
        leave();
        resolve(this.#hold(reader, amount));
      };
      const onAbort = (): void => giveUp(signal.reason as Error);
      const waiting: Waiting = { reader, amount, admit };
      const timer = setTimeout(() => giveUp(new TooManyResponses()), this.maxWaitMs);
      signal.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  #hold(reader: Reader, amount: number): Release {
    const release = (): void => {
      if (!this.#holdings.delete(holding)) return;
      this.#count(reader, -amount);
      this.#admit();
    };
    const holding: Holding = { reader, amount, release, isEnding: false };
    this.#holdings.add(holding);
    this.#count(reader, amount);
    return release;
  }

  #count({ client }: Reader, amount: number): void {
    this.#used += amount;
    const held = this.#heldBy(client) + amount;
    if (held > 0) this.#heldByClient.set(client, held);
    else this.#heldByClient.delete(client);
  }

  /** A single reader may hold any amount. */
  #fits({ client }: Reader, amount: number): boolean {
    return (this.#used === 0 || this.#used + amount <= this.capacity) && !this.#isBeyondShare(client, amount);
  }

  #isBeyondShare(client: string, amount: number): boolean {
    const held = this.#heldBy(client);
    return held > 0 && held + amount > this.#maxPerClient;
  }

  #heldBy(client: string): number {
    return this.#heldByClient.get(client) ?? 0;
  }

  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      if (!this.#fits(next.reader, next.amount)) {
        this.#endSlowestFor(next);
        break;
      }
      next.admit();
    }
    // A client that waits for its own share does not block other clients.
    const blocked = this.#waiting.find(({ reader, amount }) => this.#isBeyondShare(reader.client, amount));
    if (blocked) this.#endSlowestFor(blocked);
    this.#watch();
  }

  /** The waiting response of the client that holds least; among equals, the one that has waited longest. */
  #next(): Waiting | undefined {
    return this.#waiting
      .filter(({ reader, amount }) => !this.#isBeyondShare(reader.client, amount))
      .map((waiting) => ({ waiting, held: this.#heldBy(waiting.reader.client) }))
      .toSorted((a, b) => a.held - b.held)[0]?.waiting;
  }

  /** An ended reader releases its part shortly, so no other reader is ended in the meantime. */
  #endSlowestFor({ reader, amount }: Waiting): void {
    if ([...this.#holdings].some(({ isEnding }) => isEnding)) return;
    const slowest = this.#slowestFor(reader, amount);
    if (!slowest) return;
    slowest.isEnding = true;
    slowest.reader.end();
  }

  #slowestFor(reader: Reader, amount: number): Holding | undefined {
    const isOwnShare = this.#isBeyondShare(reader.client, amount);
    const clients = this.#heldByClient.size + (this.#heldBy(reader.client) > 0 ? 0 : 1);
    const fairShare = Math.max(1, Math.floor(this.capacity / clients));
    return [...this.#holdings]
      .filter((holding) => !isOwnShare || holding.reader.client === reader.client)
      .map((holding) => {
        const { client } = holding.reader;
        const isBeyond = client !== reader.client && this.#heldBy(client) > fairShare;
        const lagMs = holding.reader.lagMs(isBeyond ? MODEST_BYTES_PER_SECOND : SLOW_BYTES_PER_SECOND);
        return { holding, isBeyond, lagMs };
      })
      .filter(({ lagMs }) => lagMs > 0)
      .toSorted((a, b) => Number(b.isBeyond) - Number(a.isBeyond) || b.lagMs - a.lagMs)[0]?.holding;
  }

  #watch(): void {
    if (this.#waiting.length === 0) {
      clearInterval(this.#check);
      this.#check = undefined;
    } else {
      // After the event loop was blocked, the reads that completed in the meantime are processed first.
      this.#check ??= setInterval(() => setImmediate(() => this.#admit()), CHECK_INTERVAL_MS).unref();
    }
  }
}
