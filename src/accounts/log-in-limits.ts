import { Injectable } from '@nestjs/common';
import { TooManyLogIns } from './accounts.problems.js';

const MINUTE_MS = 60_000;
/** Failed attempts are remembered for 15 minutes after the wait ends. */
const REMEMBERED_MS = 15 * MINUTE_MS;
/** The most keys that are tracked at a time. */
const MAX_KEYS = 10_000;

/** Makes each further attempt with the same key wait longer. Times are monotonic, in milliseconds. */
export class GrowingDelay {
  /** Ordered by the last attempt. */
  readonly #tries = new Map<string, { count: number; nextAt: number }>();

  /** @param freeTries attempts without a wait; the first wait after them is one second, and each further one doubles */
  constructor(
    private readonly freeTries: number,
    private readonly maxDelayMs: number,
    private readonly maxKeys = MAX_KEYS,
  ) {}

  /** Returns the wait until the key's next attempt; 0 when it is allowed now. */
  waitMs(key: string, now: number): number {
    const tries = this.#tries.get(key);
    return tries ? Math.max(0, tries.nextAt - now) : 0;
  }

  /** Counts an attempt before its result is known, so that concurrent attempts see each other. The wait begins now. */
  count(key: string, now: number): void {
    const before = this.#tries.get(key);
    const count = before && !isOver(before, now) ? before.count + 1 : 1;
    this.#tries.delete(key);
    this.#forgetSome(now);
    this.#tries.set(key, { count, nextAt: now + this.#delayAfter(count) });
  }

  /** Removes an attempt that was not a guess. The others are remembered from now on. */
  takeBack(key: string, now: number): void {
    const tries = this.#tries.get(key);
    if (!tries) return;
    tries.count -= 1;
    tries.nextAt = now;
  }

  forget(key: string): void {
    this.#tries.delete(key);
  }

  #delayAfter(count: number): number {
    if (count < this.freeTries) return 0;
    return Math.min(this.maxDelayMs, 1_000 * 2 ** (count - this.freeTries));
  }

  /**
   * Makes room for a key. This many keys at once indicate an attack. The key with the fewest attempts is removed, the
   * oldest first. So an attacker cannot end the wait of a key by trying many new ones.
   */
  #forgetSome(now: number): void {
    if (this.#tries.size < this.maxKeys) return;
    let fewest: { key: string; count: number } | undefined;
    for (const [key, tries] of this.#tries) {
      if (isOver(tries, now)) this.#tries.delete(key);
      else if (fewest === undefined || tries.count < fewest.count) fewest = { key, count: tries.count };
    }
    if (fewest && this.#tries.size >= this.maxKeys) this.#tries.delete(fewest.key);
  }
}

/** Whether attempts are old enough to be forgotten. */
function isOver({ nextAt }: { nextAt: number }, now: number): boolean {
  return now >= nextAt + REMEMBERED_MS;
}

/** The most pairs of client and account that are remembered as familiar. */
const MAX_FAMILIAR = 1_000;

/**
 * Limits log-in attempts per client and account together, and, much later, per client over all accounts and per account
 * over all clients. A client that has logged in to the account before is exempt from the last limit, so that guesses
 * from other clients do not lock it out.
 */
@Injectable()
export class LogInLimits {
  /** Attempts of one client on one account. */
  readonly #pairs = new GrowingDelay(5, MINUTE_MS);
  /** Many people may share an address. One that keeps guessing is in the end limited to four attempts an hour. */
  readonly #clients = new GrowingDelay(100, 15 * MINUTE_MS);
  /**
   * Limits guesses from many addresses to one a minute. In the worst case, the owner of the account gets one attempt a
   * minute too, from an address that is not familiar.
   */
  readonly #accounts = new GrowingDelay(20, MINUTE_MS);
  /** Pairs of client and account, ordered by the last log-in. */
  readonly #familiar = new Set<string>();

  /**
   * Counts an attempt as failed, until the caller reports that it `succeeded`, or that it was `abandoned` because the
   * password could not be checked. A refused attempt is not counted, so the wait always ends.
   *
   * @param client as client-address.ts names the client
   * @param account the user name's key, whether or not the account exists
   * @param now a monotonic time in milliseconds
   * @throws TooManyLogIns
   */
  take(client: string, account: string, now: number = performance.now()) {
    const pair = JSON.stringify([client, account]);
    const isFamiliar = this.#familiar.has(pair);
    const counters: readonly (readonly [GrowingDelay, string])[] = [
      [this.#pairs, pair],
      [this.#clients, client],
      ...(isFamiliar ? [] : [[this.#accounts, account] as const]),
    ];
    const waitMs = Math.max(...counters.map(([delay, key]) => delay.waitMs(key, now)));
    if (waitMs > 0) throw new TooManyLogIns(Math.ceil(waitMs / 1_000));
    for (const [delay, key] of counters) delay.count(key, now);
    return {
      succeeded: () => {
        this.#pairs.forget(pair);
        if (!isFamiliar) this.#accounts.forget(account);
        // The client's own account must not give it further guesses at other accounts.
        this.#clients.takeBack(client, now);
        this.#addFamiliar(pair);
      },
      abandoned: () => {
        for (const [delay, key] of counters) delay.takeBack(key, now);
      },
    };
  }

  #addFamiliar(pair: string): void {
    // It moves to the end.
    this.#familiar.delete(pair);
    this.#familiar.add(pair);
    const [oldest] = this.#familiar;
    if (this.#familiar.size > MAX_FAMILIAR) this.#familiar.delete(oldest!);
  }
}
