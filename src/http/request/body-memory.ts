import { FairShares, type Share } from '../pipeline/fair-shares.js';

/**
 * The number of bodies of the maximum size that fit at once. While a body is processed, it takes several times its
 * size.
 */
const LARGEST_BODIES = 4;
/** With a small MAX_BODY_BYTES, the number of clients determines the memory, not the size of their bodies. */
const MIN_BYTES = 64 * 1_024 * 1_024;
/** One client may hold half of the memory: two bodies of the maximum size with the defaults. */
const CLIENT_SHARE = 1 / 2;

/** The first bytes of each body come from a separate reserve, so that large bodies always leave room for small ones. */
const SMALL_BYTES = 65_536;
const RESERVE_BYTES = 64 * 1_024 * 1_024;

/** Limits the total bytes of all bodies and the bytes of each client. */
export class BodyMemoryBudget {
  readonly #small = fairShares(RESERVE_BYTES);
  readonly #large: FairShares;

  constructor(maxBodyBytes: number) {
    this.#large = fairShares(Math.max(LARGEST_BODIES * maxBodyBytes, MIN_BYTES));
  }

  get usedBytes(): number {
    return this.#small.held + this.#large.held;
  }

  /** @param client the name of the client, see client-address.ts */
  lease(client: string): MemoryLease {
    return new MemoryLease(this.#small.open(client), this.#large.open(client), this.#small.open(client));
  }
}

/** The share of a {@link BodyMemoryBudget} that the body of one request or response holds. */
export class MemoryLease {
  constructor(
    private readonly small: Share,
    private readonly large: Share,
    /** The memory for inflating the body, beside the body itself. */
    readonly inflaters: Share,
  ) {}

  /** @returns false when the bytes do not fit */
  take(bytes: number): boolean {
    const small = Math.min(bytes, SMALL_BYTES - this.small.held);
    if (small > 0 && !this.small.take(small)) return false;
    if (bytes === small || this.large.take(bytes - small)) return true;
    this.small.giveBack(small);
    return false;
  }

  giveBack(bytes: number): void {
    const large = Math.min(bytes, this.large.held);
    this.large.giveBack(large);
    this.small.giveBack(bytes - large);
  }

  /**
   * Allows the lease to be ended when another client needs the memory, see {@link FairShares}.
   *
   * @param end called when that happens; undefined once the lease no longer depends on the pace of its client
   */
  mayBeEnded(end: (() => void) | undefined): void {
    const endAll =
      end &&
      (() => {
        this.release();
        end();
      });
    for (const share of [this.small, this.large, this.inflaters]) share.end = endAll;
  }

  /** Releases everything. Afterwards, nothing can be taken. */
  release(): void {
    for (const share of [this.small, this.large, this.inflaters]) share.release();
  }
}

function fairShares(total: number): FairShares {
  return new FairShares({ total, perClient: total * CLIENT_SHARE });
}
