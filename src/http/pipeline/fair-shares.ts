import type { Reader } from '../response/response-reader.js';
import { type Entry, EntryList } from './entry-list.js';

/** A younger share is never ended for another client: its work may have just begun. */
const MIN_AGE_MS = 5_000;

/** Idle clients are removed when the map has this many entries. */
const MAX_KNOWN_CLIENTS = 1_000;

export interface ShareLimits {
  readonly total: number;
  readonly perClient: number;
}

export interface Client {
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

  get held(): number {
    return this.#held;
  }

  /**
   * @param client the name of the client, see client-address.ts
   * @param end see {@link Share.end}
   */
  open(client: string, end?: () => void, reader?: Reader): Share {
    return new Share(this, client, end, reader);
  }

  clientOf(name: string): Client {
    const known = this.#clients.get(name);
    if (known) return known;
    if (this.#clients.size >= MAX_KNOWN_CLIENTS) this.#forgetIdleClients();
    const client = { held: 0, shares: new EntryList<Share>() };
    this.#clients.set(name, client);
    return client;
  }

  /** Used by {@link Share}: adds the amount if it fits, if necessary by ending slow shares. @returns whether it fits */
  addIfFits(client: Client, amount: number): boolean {
    while (!this.fits(client, amount)) {
      const slowest = this.slowestFor(client, amount);
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

  protected fits(client: Client, amount: number): boolean {
    const { total } = this.limits;
    return (this.#held === 0 || this.#held + amount <= total) && !this.isBeyondShare(client, amount);
  }

  /** A client that holds nothing may exceed its share while there is room. */
  protected isBeyondShare({ held }: Client, amount: number): boolean {
    return held > 0 && held + amount > this.limits.perClient;
  }

  protected holders(): Client[] {
    return [...this.#clients.values()].filter(({ held }) => held > 0);
  }

  /** The fair share of each client once the newcomer holds something. */
  protected fairShareWith(newcomer: Client, holders: readonly Client[]): number {
    const clients = holders.length + (newcomer.held > 0 ? 0 : 1);
    return Math.max(1, this.limits.total / clients);
  }

  /** The share to end for a newcomer; undefined when there is none. */
  protected slowestFor(newcomer: Client, amount: number): Share | undefined {
    const holders = this.holders();
    const fairShare = this.fairShareWith(newcomer, holders);
    if (this.isBeyondShare(newcomer, amount) || newcomer.held + amount > fairShare) return undefined;
    const now = performance.now();
    const rateOf = ({ held, openedAt }: Share): number => held / (now - openedAt);
    return holders
      .filter((client) => client !== newcomer && client.held > fairShare)
      .flatMap(({ shares }) => shares.items())
      .filter(({ end, openedAt }) => end !== undefined && now - openedAt >= MIN_AGE_MS)
      .toSorted((a, b) => rateOf(a) - rateOf(b))[0];
  }

  #forgetIdleClients(): void {
    for (const [name, { shares }] of this.#clients) if (shares.size === 0) this.#clients.delete(name);
  }
}

/** The part of a resource that one request, response or connection of a client holds. */
export class Share {
  readonly openedAt = performance.now();
  /** Whether its reader was ended and will release it shortly. */
  isEnding = false;
  #client: Client | undefined;
  #entry: Entry<Share> | undefined;
  #held = 0;
  #isOver = false;

  constructor(
    private readonly shares: FairShares,
    readonly clientName: string,
    /** Called when the share is ended for another client. While it is undefined, the share cannot be ended. */
    public end: (() => void) | undefined,
    readonly reader: Reader | undefined,
  ) {}

  get held(): number {
    return this.#held;
  }

  /** @returns false when the amount does not fit */
  take(amount: number): boolean {
    if (this.#isOver) return false;
    const client = this.#client ?? this.shares.clientOf(this.clientName);
    if (!this.shares.addIfFits(client, amount)) return false;
    this.#hold(client, amount);
    return true;
  }

  force(amount: number): void {
    const client = this.#client ?? this.shares.clientOf(this.clientName);
    this.shares.add(client, amount);
    this.#hold(client, amount);
  }

  giveBack(amount: number): void {
    if (this.#isOver || !this.#client) return;
    this.#held -= amount;
    this.shares.add(this.#client, -amount);
  }

  /** Releases everything. Afterwards, nothing can be taken. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#client || !this.#entry) return;
    const held = this.#held;
    this.#held = 0;
    this.#client.shares.remove(this.#entry);
    this.shares.add(this.#client, -held);
  }

  /** Used by {@link FairShares}. */
  endForAnother(): void {
    const { end } = this;
    this.release();
    end?.();
  }

  #hold(client: Client, amount: number): void {
    this.#client = client;
    this.#entry ??= client.shares.add(this);
    this.#held += amount;
  }
}
