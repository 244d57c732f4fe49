import { FairShares, type Share } from '../pipeline/fair-shares.js';

/** How many bodies of the largest size fit at once; while they are worked on, each takes several times its size. */
const LARGEST_BODIES = 4;
/** With a small MAX_BODY_BYTES the number of clients fills the memory, not the size of their bodies. */
const MIN_BYTES = 64 * 1_024 * 1_024;
/** One client may hold half of the memory: with the defaults, two bodies of the largest size. */
const CLIENT_SHARE = 1 / 2;

/** This much of each body comes from a reserve of its own, so that large bodies never leave small ones without room. */
const SMALL_BYTES = 65_536;
const RESERVE_BYTES = 64 * 1_024 * 1_024;

/** Bounds the bytes of all bodies together, and those of each client. */
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

/** What the body of one request or response takes from a {@link BodyMemoryBudget}. */
export class MemoryLease {
  constructor(
    private readonly small: Share,
    private readonly large: Share,
    /** What inflating the body takes beside the body itself. */
    readonly inflaters: Share,
  ) {}

  /** @returns false when there is no room for that much more */
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

  /** Gives everything back. Nothing can be taken afterwards. */
  release(): void {
    for (const share of [this.small, this.large, this.inflaters]) share.release();
  }
}

function fairShares(total: number): FairShares {
  return new FairShares({ total, perClient: total * CLIENT_SHARE });
}
