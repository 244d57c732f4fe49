/** A younger share is never ended for another client: its work may have just begun. */
const MIN_AGE_MS = 5_000;

/** Clients that hold nothing are forgotten when the map has this many entries. */
const MAX_KNOWN_CLIENTS = 1_000;

class Client {
  held = 0;
  readonly shares = new Set<Share>();
}

/**
 * Divides a bounded resource among clients: bytes, running imports, connections.
 *
 * One client gets at most `perClient`. When the resource is used up, a client that would hold less than an equal part
 * takes from the client that holds most: the slowest share of that client ends.
 */
export class ClientShares {
  readonly #clients = new Map<string, Client>();
  #held = 0;

  constructor(
    private readonly total: number,
    private readonly perClient: number,
  ) {}

  get held(): number {
    return this.#held;
  }

  /**
   * Opens a share that holds nothing yet.
   *
   * @param client the name of the client, see client-address.ts
   * @param end called when the share ends for another client; without it, the share cannot end
   */
  open(client: string, end?: () => void): Share {
    return new Share(this, client, end);
  }

  /** Used by {@link Share}. @returns false when the client may not hold that much, and nothing has changed */
  resize(share: Share, held: number): boolean {
    const client = this.#clientOf(share.client);
    const change = held - share.held;
    if (change > 0) {
      if (client.held > 0 && client.held + change > this.perClient) return false;
      while (this.#held > 0 && this.#held + change > this.total) {
        const slowest = this.#slowestFor(client, change);
        if (!slowest) return false;
        slowest.release();
        slowest.end!();
      }
    }
    client.held += change;
    this.#held += change;
    if (held > 0) client.shares.add(share);
    else client.shares.delete(share);
    return true;
  }

  #clientOf(name: string): Client {
    let client = this.#clients.get(name);
    if (!client) {
      if (this.#clients.size >= MAX_KNOWN_CLIENTS) {
        for (const [other, { held }] of this.#clients) if (held === 0) this.#clients.delete(other);
      }
      client = new Client();
      this.#clients.set(name, client);
    }
    return client;
  }

  /** The share to end for a newcomer; undefined when there is none. */
  #slowestFor(newcomer: Client, change: number): Share | undefined {
    const holders = [...this.#clients.values()].filter((client) => client === newcomer || client.held > 0);
    const equalPart = Math.max(1, this.total / holders.length);
    if (newcomer.held + change > equalPart) return undefined;
    const now = performance.now();
    const rateOf = ({ held, openedAt }: Share): number => held / (now - openedAt);
    return holders
      .filter(({ held }) => held > equalPart)
      .flatMap(({ shares }) => [...shares])
      .filter(({ end, openedAt }) => end && now - openedAt >= MIN_AGE_MS)
      .toSorted((a, b) => rateOf(a) - rateOf(b))[0];
  }
}

/** The part of a resource that one request or connection of a client holds. */
export class Share {
  readonly openedAt = performance.now();
  #held = 0;
  #isOver = false;

  constructor(
    private readonly shares: ClientShares,
    readonly client: string,
    /** Undefined while the share cannot end for another client. */
    public end: (() => void) | undefined,
  ) {}

  get held(): number {
    return this.#held;
  }

  /** @returns false when that much does not fit, and the share is as before */
  resize(held: number): boolean {
    if (this.#isOver || !this.shares.resize(this, held)) return false;
    this.#held = held;
    return true;
  }

  /** Gives everything back. Afterwards, nothing can be taken. */
  release(): void {
    if (this.#held > 0) this.resize(0);
    this.#isOver = true;
  }
}
