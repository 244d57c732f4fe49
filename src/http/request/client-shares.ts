import { TooManyResponses } from '../../problem-details/problems.js';
import { LARGE_HOLDER_BYTES_PER_SECOND, SLOW_BYTES_PER_SECOND } from './pace.js';

/** Longer than the time in which a holder is recognised as slow. */
const MAX_WAIT_MS = 6_000;
/** How often a waiting holder checks whether another one has become slow. */
const CHECK_INTERVAL_MS = 250;
/** More waiting holders are refused at once. */
const MAX_WAITING = 256;
const MAX_WAITING_PER_CLIENT = 16;

/** What holds a part of a resource for a client: the body of a request, a response, a connection. */
export interface Holder {
  /** The name of the client, see client-address.ts. */
  readonly client: string;
  /** How far the client is behind a rate, in milliseconds; negative while it is ahead. */
  lagMs?(bytesPerSecond: number): number;
  /** Called when the holder must end because another client needs its part. */
  end?(): void;
}

/** The part of a resource that one request, response or connection of a client holds. */
export interface Share {
  readonly holder: Holder;
  held: number;
  /** Whether its holder was told to end. */
  isEnding: boolean;
  /** @returns false when there is no room, and the share is as before */
  resize(amount: number): boolean;
  /** Gives everything back. */
  release(): void;
}

/** The client of a response that holds bounded resources while it is built and read. */
export interface Reader extends Required<Holder> {
  /** Aborted when the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
}

/**
 * Divides a bounded resource among clients: bytes, running imports, snapshots, connections.
 *
 * One client holds at most `perClient`. When the resource is used up, a holder whose client is slow ends for another
 * client: first one of a client that holds more than an equal part, then the one that is furthest behind.
 */
export class ClientShares {
  readonly #held = new Map<string, number>();
  readonly #shares = new Set<Share>();
  readonly #waiting = new Set<{ readonly client: string; readonly tryNow: () => boolean }>();
  #total = 0;

  constructor(
    private readonly total: number,
    private readonly perClient = Math.ceil(total / 2),
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  get held(): number {
    return this.#total;
  }

  /** Opens a share that holds nothing yet. */
  open(holder: Holder): Share {
    const share: Share = {
      holder,
      held: 0,
      isEnding: false,
      resize: (amount) => this.#resize(share, amount),
      release: () => void this.#resize(share, 0),
    };
    return share;
  }

  /**
   * Takes a part, and waits for a limited time when there is no room. First come, first served; a client that holds all
   * it may hold does not block others.
   *
   * @returns a function that gives it back; a second call has no effect
   * @throws TooManyResponses when there is still no room
   * @throws the signal's reason when the client disconnects
   */
  wait(holder: Holder & Pick<Reader, 'signal'>, amount: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const { client, signal } = holder;
      signal.throwIfAborted();
      const ofClient = [...this.#waiting].filter((waiting) => waiting.client === client);
      if (this.#waiting.size >= MAX_WAITING || ofClient.length >= MAX_WAITING_PER_CLIENT) {
        throw new TooManyResponses();
      }
      const share = this.open(holder);
      const leave = (): void => {
        clearTimeout(timeout);
        clearInterval(check);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(waiting);
      };
      const giveUp = (reason: Error): void => {
        leave();
        reject(reason);
        this.#admit();
      };
      const onAbort = (): void => giveUp(signal.reason as Error);
      const tryNow = (): boolean => {
        if (!this.#resize(share, amount, true)) return this.#isAtLimit(client, amount);
        leave();
        resolve(() => share.release());
        return true;
      };
      const waiting = { client, tryNow };
      const timeout = setTimeout(() => giveUp(new TooManyResponses()), this.maxWaitMs);
      // After the event loop was blocked, the reads that completed in the meantime are processed first.
      const check = setInterval(() => setImmediate(() => this.#admit()), CHECK_INTERVAL_MS);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(waiting);
      this.#admit();
    });
  }

  #resize(share: Share, amount: number, canWait = false): boolean {
    const { client } = share.holder;
    const change = amount - share.held;
    if (change > 0 && !this.#makeRoom(client, change, canWait)) return false;
    this.#change(share, amount);
    if (change < 0) this.#admit();
    return true;
  }

  #makeRoom(client: string, amount: number, canWait: boolean): boolean {
    if (this.#isAtLimit(client, amount)) return false;
    while (this.#total > 0 && this.#total + amount > this.total) {
      // One at a time: the part of a holder that ends counts until the holder gives it back, for which others wait.
      if (canWait && [...this.#shares].some(({ isEnding }) => isEnding)) return false;
      const slowest = this.#slowestFor(client, amount);
      if (!slowest) return false;
      slowest.isEnding = true;
      if (!canWait) this.#change(slowest, 0);
      slowest.holder.end!();
      if (canWait) return false;
    }
    return true;
  }

  /** A client that holds nothing may exceed its limit while there is room. */
  #isAtLimit(client: string, amount: number): boolean {
    const held = this.#held.get(client) ?? 0;
    return held > 0 && held + amount > this.perClient;
  }

  /** The share to end for a newcomer; undefined when there is none. */
  #slowestFor(newcomer: string, amount: number): Share | undefined {
    const heldByNewcomer = this.#held.get(newcomer) ?? 0;
    const clients = this.#held.size + (heldByNewcomer > 0 ? 0 : 1);
    const equalPart = Math.max(1, this.total / clients);
    const isModest = heldByNewcomer + amount <= equalPart;
    return [...this.#shares]
      .map((share) => {
        const { holder } = share;
        const isBeyond = isModest && this.#held.get(holder.client)! > equalPart;
        const rate = isBeyond ? LARGE_HOLDER_BYTES_PER_SECOND : SLOW_BYTES_PER_SECOND;
        return { share, isBeyond, lagMs: holder.end ? (holder.lagMs?.(rate) ?? 0) : 0 };
      })
      .filter(({ lagMs }) => lagMs > 0)
      .toSorted((a, b) => Number(b.isBeyond) - Number(a.isBeyond) || b.lagMs - a.lagMs)[0]?.share;
  }

  #change(share: Share, amount: number): void {
    const { client } = share.holder;
    const change = amount - share.held;
    const held = (this.#held.get(client) ?? 0) + change;
    this.#total += change;
    share.held = amount;
    if (held > 0) this.#held.set(client, held);
    else this.#held.delete(client);
    if (amount > 0) this.#shares.add(share);
    else this.#shares.delete(share);
  }

  #admit(): void {
    for (const { tryNow } of this.#waiting) if (!tryNow()) return;
  }
}
