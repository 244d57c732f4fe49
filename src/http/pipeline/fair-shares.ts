import type { Socket } from 'node:net';
import { clientOf } from '../request/client-address.js';
import { type Entry, EntryList } from './entry-list.js';

/** A share that has existed for less long is never ended for others: it may just have begun to do its work. */
const MIN_AGE_MS = 5_000;

/** Clients that hold nothing any more are forgotten once there are this many. */
const MAX_KNOWN_CLIENTS = 1_000;

export interface ShareLimits {
  /** What all clients together may hold. */
  readonly total: number;
  /** What one client may hold. */
  readonly perClient: number;
}

interface Client {
  held: number;
  readonly shares: EntryList<Share>;
}

/**
 * Divides a bounded resource, such as memory or connections, among clients.
 *
 * No client holds more than `perClient`. While the resource is not exhausted, that is the only limit. Once it is
 * exhausted, a client that holds less than its fair share (the total divided by the number of clients that hold
 * something) takes from a client that holds more: the slowest share of that client is ended.
 */
export class FairShares {
  readonly #clients = new Map<string, Client>();
  #held = 0;

  constructor(readonly limits: ShareLimits) {}

  /** What all clients hold together. */
  get held(): number {
    return this.#held;
  }

  /**
   * @param client the name of the client, see client-address.ts
   * @param end see {@link Share.end}
   */
  open(client: string, end?: () => void): Share {
    return new Share(this, client, end);
  }

  /** Used by {@link Share}: finds the client's account, or makes one. */
  clientOf(name: string): Client {
    const known = this.#clients.get(name);
    if (known) return known;
    if (this.#clients.size >= MAX_KNOWN_CLIENTS) this.#forgetIdleClients();
    const client = { held: 0, shares: new EntryList<Share>() };
    this.#clients.set(name, client);
    return client;
  }

  /** Used by {@link Share}: whether the client may hold that much more; then it is counted. */
  take(client: Client, amount: number): boolean {
    const { total, perClient } = this.limits;
    // A client that holds nothing may take more than its share as long as there is room.
    if (client.held > 0 && client.held + amount > perClient) return false;
    while (this.#held > 0 && this.#held + amount > total) {
      const slowest = this.#slowestBeyondFairShare(client, amount);
      if (!slowest) return false;
      slowest.endForAnother();
    }
    this.add(client, amount);
    return true;
  }

  /** Used by {@link Share}. @param amount negative for what is given back */
  add(client: Client, amount: number): void {
    client.held += amount;
    this.#held += amount;
  }

  #slowestBeyondFairShare(newcomer: Client, amount: number): Share | undefined {
    const others = [...this.#clients.values()].filter((each) => each !== newcomer && each.held > 0);
    const fairShare = this.limits.total / (others.length + 1);
    if (newcomer.held + amount > fairShare) return undefined;
    const now = performance.now();
    let slowest: Share | undefined;
    let lowestRate = Infinity;
    for (const { held, shares } of others) {
      if (held <= fairShare) continue;
      for (const share of shares.items()) {
        const ageMs = now - share.openedAt;
        const rate = share.held / ageMs;
        if (share.end === undefined || ageMs < MIN_AGE_MS || rate >= lowestRate) continue;
        slowest = share;
        lowestRate = rate;
      }
    }
    return slowest;
  }

  #forgetIdleClients(): void {
    for (const [name, { shares }] of this.#clients) if (shares.size === 0) this.#clients.delete(name);
  }
}

/** What one request or connection of a client holds of a resource. */
export class Share {
  readonly openedAt = performance.now();
  #client: Client | undefined;
  #entry: Entry<Share> | undefined;
  #held = 0;
  #isOver = false;

  constructor(
    private readonly shares: FairShares,
    private readonly clientName: string,
    /** Called when the share is taken away for another client; while it is undefined, the share is not taken away. */
    public end: (() => void) | undefined,
  ) {}

  get held(): number {
    return this.#held;
  }

  /** @returns false when there is no room for that much more */
  take(amount: number): boolean {
    if (this.#isOver) return false;
    this.#client ??= this.shares.clientOf(this.clientName);
    if (!this.shares.take(this.#client, amount)) return false;
    this.#entry ??= this.#client.shares.add(this);
    this.#held += amount;
    return true;
  }

  giveBack(amount: number): void {
    if (this.#isOver || !this.#client) return;
    this.shares.add(this.#client, -amount);
    this.#held -= amount;
  }

  /** Gives everything back. Nothing can be taken afterwards. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#client || !this.#entry) return;
    this.shares.add(this.#client, -this.#held);
    this.#client.shares.remove(this.#entry);
    this.#held = 0;
  }

  /** Used by {@link FairShares}. */
  endForAnother(): void {
    const { end } = this;
    this.release();
    end?.();
  }
}

/** Closes the connections of an address beyond its share. A trusted proxy may have any number: it has many clients. */
export class ConnectionShares {
  readonly #shares: FairShares;

  constructor(
    limits: ShareLimits,
    private readonly isTrustedProxy: (address: string | undefined) => boolean,
  ) {
    this.#shares = new FairShares(limits);
  }

  /** To be called with each new connection. */
  readonly accept = (socket: Socket): void => {
    const { remoteAddress } = socket;
    if (this.isTrustedProxy(remoteAddress)) return;
    const share = this.#shares.open(clientOf(remoteAddress));
    if (share.take(1)) socket.once('close', () => share.release());
    else socket.destroy();
  };
}
