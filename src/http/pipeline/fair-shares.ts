import type { Socket } from 'node:net';
import { clientOf } from '../request/client-address.js';
import { type Entry, EntryList } from './entry-list.js';

/** A younger share is never ended for another client: its work may have just begun. */
const MIN_AGE_MS = 5_000;

/** Idle clients are removed when the map has this many entries. */
const MAX_KNOWN_CLIENTS = 1_000;

export interface ShareLimits {
  /** The limit for all clients together. */
  readonly total: number;
  /** The limit for one client. */
  readonly perClient: number;
}

interface Client {
  held: number;
  readonly shares: EntryList<Share>;
}

/**
 * Divides a bounded resource, such as memory or connections, among clients.
 *
 * No client holds more than `perClient`; until the resource is exhausted, this is the only limit. The fair share of a
 * client is the total divided by the number of clients that hold something. When the resource is exhausted, a client
 * below its fair share takes from a client above it: the slowest share of that client is ended.
 */
export class FairShares {
  readonly #clients = new Map<string, Client>();
  #held = 0;

  constructor(readonly limits: ShareLimits) {}

  /** The amount that all clients hold. */
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

  /** Used by {@link Share}: finds or creates the record of a client. */
  clientOf(name: string): Client {
    const known = this.#clients.get(name);
    if (known) return known;
    if (this.#clients.size >= MAX_KNOWN_CLIENTS) this.#forgetIdleClients();
    const client = { held: 0, shares: new EntryList<Share>() };
    this.#clients.set(name, client);
    return client;
  }

  /** Used by {@link Share}: takes the amount if the limits allow it. @returns whether they do */
  take(client: Client, amount: number): boolean {
    const { total, perClient } = this.limits;
    // A client that holds nothing may exceed its share while there is room.
    if (client.held > 0 && client.held + amount > perClient) return false;
    while (this.#held > 0 && this.#held + amount > total) {
      const slowest = this.#slowestBeyondFairShare(client, amount);
      if (!slowest) return false;
      slowest.endForAnother();
    }
    this.add(client, amount);
    return true;
  }

  /** Used by {@link Share}. @param amount negative to give back */
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

/** The part of a resource that one request or connection of a client holds. */
export class Share {
  readonly openedAt = performance.now();
  #client: Client | undefined;
  #entry: Entry<Share> | undefined;
  #held = 0;
  #isOver = false;

  constructor(
    private readonly shares: FairShares,
    private readonly clientName: string,
    /** Called when the share is ended for another client. While it is undefined, the share cannot be ended. */
    public end: (() => void) | undefined,
  ) {}

  get held(): number {
    return this.#held;
  }

  /** @returns false when the amount does not fit */
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

  /** Releases everything. Afterwards, nothing can be taken. */
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

/** Closes connections beyond the share of an address. A trusted proxy has no limit, because it has many clients. */
export class ConnectionShares {
  readonly #shares: FairShares;

  constructor(
    limits: ShareLimits,
    private readonly isTrustedProxy: (address: string | undefined) => boolean,
  ) {
    this.#shares = new FairShares(limits);
  }

  /** Call with each new connection. */
  readonly accept = (socket: Socket): void => {
    const { remoteAddress } = socket;
    if (this.isTrustedProxy(remoteAddress)) return;
    const share = this.#shares.open(clientOf(remoteAddress));
    if (share.take(1)) socket.once('close', () => share.release());
    else socket.destroy();
  };
}
