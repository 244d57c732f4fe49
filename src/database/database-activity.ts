import { DatabaseFault } from './database-fault.js';

/** Sums the number of operations and the time that they took. */
export class Stopwatch {
  count = 0;
  milliseconds = 0;

  /** @param startedAt the start of the operation, from `performance.now()` */
  stop(startedAt: number): void {
    this.count += 1;
    this.milliseconds += performance.now() - startedAt;
  }
}

/** From a free connection to DATABASE_CONNECT_TIMEOUT, in seconds. */
const WAIT_BUCKETS: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, Infinity];

/** Counts waits by their length. */
export class WaitTimes {
  readonly buckets = WAIT_BUCKETS;
  /** For each of the buckets, how many waits took no longer, but longer than the bucket before. */
  readonly counts = WAIT_BUCKETS.map(() => 0);
  seconds = 0;

  /** @param startedAt the start of the wait, from `performance.now()` */
  stop(startedAt: number): void {
    const seconds = (performance.now() - startedAt) / 1_000;
    this.seconds += seconds;
    this.counts[WAIT_BUCKETS.findIndex((bound) => seconds <= bound)]! += 1;
  }
}

/** Why a database that serves reads accepts no writes. */
export type WriteRefusal = 'full' | 'read-only';

/** A refusal without a later write does not show the current state. */
const REFUSAL_MEMORY_MS = 60_000;

/** Times writes, and remembers the last refusal until a write succeeds. */
export class WriteStopwatch extends Stopwatch {
  #refusal: { readonly kind: WriteRefusal; readonly at: number } | undefined;

  /** The committed transactions, timed from BEGIN to the end of COMMIT. */
  readonly transactions = new Stopwatch();
  /** Called when a write succeeds after the database has refused one. */
  onRecovery: () => void = () => undefined;
  /** How many writes the transactions held. */
  transactionWrites = 0;

  /** Times a write until its promise settles. */
  async time<Result>(write: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      const result = await write;
      this.transactionWrites += 1;
      if (this.#refusal) this.onRecovery();
      this.#refusal = undefined;
      return result;
    } catch (error) {
      if (error instanceof DatabaseFault && (error.kind === 'full' || error.kind === 'read-only'))
        this.#refusal = { kind: error.kind, at: performance.now() };
      throw error;
    } finally {
      this.stop(startedAt);
    }
  }

  /** Why the last write was refused; undefined when a later one succeeded, or it was long ago. */
  get refusal(): WriteRefusal | undefined {
    const { kind, at = -Infinity } = this.#refusal ?? {};
    return performance.now() - at < REFUSAL_MEMORY_MS ? kind : undefined;
  }
}
