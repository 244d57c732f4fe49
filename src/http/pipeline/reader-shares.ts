import { TooManyResponses } from '../../problem-details/problems.js';
import { MODEST_BYTES_PER_SECOND, type Reader, SLOW_BYTES_PER_SECOND } from '../response/response-reader.js';
import { type Client, FairShares, type Share } from './fair-shares.js';

/** Longer than the time in which a reader is recognised as slow. */
const MAX_WAIT_MS = 6_000;
/** How often waiting responses check for readers that have become slow. */
const CHECK_INTERVAL_MS = 250;
/** Responses beyond these limits are rejected at once. */
const MAX_WAITING = 256;
const MAX_WAITING_PER_CLIENT = 16;

/** Releases the taken part; a second call has no effect. */
export type Release = () => void;

interface Waiting {
  readonly reader: Reader;
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * Shares a bounded resource, such as snapshots or memory, among the responses that hold a part of it until they are
 * read.
 *
 * One client holds at most half of it. A response can wait for room. Slow readers are ended one at a time for it: first
 * readers of clients above their fair share, then the reader that is furthest behind.
 */
export class ReaderShares extends FairShares {
  readonly #waiting: Waiting[] = [];
  #check: NodeJS.Timeout | undefined;

  /** @param maxWaitMs how long a response waits for room */
  constructor(
    capacity: number,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {
    super({ total: capacity, perClient: Math.ceil(capacity / 2) });
  }

  /** Takes a part at once, and ends slow readers if necessary. @throws TooManyResponses */
  take(reader: Reader, amount: number): Release {
    const share = this.#open(reader);
    if (!share.take(amount)) throw new TooManyResponses();
    return () => share.release();
  }

  /** Like {@link take}, but succeeds even without room. */
  force(reader: Reader, amount: number): Release {
    const share = this.#open(reader);
    if (!share.take(amount)) share.force(amount);
    return () => share.release();
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
        const share = this.#open(reader);
        share.force(amount);
        resolve(() => share.release());
      };
      const onAbort = (): void => giveUp(signal.reason as Error);
      const waiting: Waiting = { reader, amount, admit };
      const timer = setTimeout(() => giveUp(new TooManyResponses()), this.maxWaitMs);
      signal.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
      this.#admit();
    });
  }

  override add(client: Client, amount: number): void {
    super.add(client, amount);
    if (amount < 0) this.#admit();
  }

  protected override slowestFor(newcomer: Client, amount: number): Share | undefined {
    const isOwnShare = this.isBeyondShare(newcomer, amount);
    const holders = this.holders();
    const fairShare = this.fairShareWith(newcomer, holders);
    return holders
      .filter((client) => !isOwnShare || client === newcomer)
      .flatMap((client) => {
        const isBeyond = client !== newcomer && client.held > fairShare;
        const rate = isBeyond ? MODEST_BYTES_PER_SECOND : SLOW_BYTES_PER_SECOND;
        return client.shares.items().map((share) => ({ share, isBeyond, lagMs: share.reader!.lagMs(rate) }));
      })
      .filter(({ lagMs }) => lagMs > 0)
      .toSorted((a, b) => Number(b.isBeyond) - Number(a.isBeyond) || b.lagMs - a.lagMs)[0]?.share;
  }

  #open(reader: Reader): Share {
    return this.open(reader.client, () => reader.end(), reader);
  }

  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      if (!this.fits(this.clientOf(next.reader.client), next.amount)) {
        this.#endSlowestFor(next);
        break;
      }
      next.admit();
    }
    // A client that waits for its own share does not block other clients.
    const blocked = this.#waiting.find((waiting) => this.#isBlocked(waiting));
    if (blocked) this.#endSlowestFor(blocked);
    this.#watch();
  }

  /** The waiting response of the client that holds least; among equals, the one that has waited longest. */
  #next(): Waiting | undefined {
    const heldFor = ({ reader }: Waiting): number => this.clientOf(reader.client).held;
    return this.#waiting
      .filter((waiting) => !this.#isBlocked(waiting))
      .toSorted((a, b) => heldFor(a) - heldFor(b))[0];
  }

  #isBlocked({ reader, amount }: Waiting): boolean {
    return this.isBeyondShare(this.clientOf(reader.client), amount);
  }

  /** An ended reader releases its part shortly, so no other reader is ended in the meantime. */
  #endSlowestFor({ reader, amount }: Waiting): void {
    if (this.holders().some(({ shares }) => shares.items().some(({ isEnding }) => isEnding))) return;
    const slowest = this.slowestFor(this.clientOf(reader.client), amount);
    if (!slowest) return;
    slowest.isEnding = true;
    slowest.end?.();
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
