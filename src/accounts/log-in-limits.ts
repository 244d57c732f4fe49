import { Injectable } from '@nestjs/common';
import { TooManyLogIns } from './accounts.problems.js';
import { type DelayRules, GrowingDelay } from './growing-delay.js';

const MAX_KEYS = 10_000;

/** Many people may share an address. One that keeps guessing is soon limited to four attempts an hour. */
const PER_CLIENT: DelayRules = { freeTries: 10, maxDelayMs: 15 * 60_000, maxKeys: MAX_KEYS };
/**
 * Limits guesses from many addresses to one a minute. In the worst case, the owner of the account gets one attempt a
 * minute too.
 */
const PER_ACCOUNT: DelayRules = { freeTries: 5, maxDelayMs: 60_000, maxKeys: MAX_KEYS };

/** The most pairs of client and account that are remembered as familiar. */
const MAX_FAMILIAR = 1_000;

/** A log-in attempt that was allowed. */
export interface LogInTry {
  /** The password was right. */
  succeeded(): void;
  failed(now?: number): void;
  /** The password was not checked. */
  abandoned(): void;
}

/**
 * Limits log-in attempts per client (over all accounts) and per account (over all clients). A client that has logged in
 * to the account before is counted separately, so that guesses from other clients do not lock it out.
 */
@Injectable()
export class LogInLimits {
  readonly #clients = new GrowingDelay(PER_CLIENT);
  readonly #accounts = new GrowingDelay(PER_ACCOUNT);
  /**
   * Attempts of familiar clients, by client and account. A separate map, because a user name can look like such a key.
   */
  readonly #pairs = new GrowingDelay(PER_ACCOUNT);
  /** Ordered by the last log-in. */
  readonly #familiar = new Set<string>();

  /**
   * Counts an attempt. A refused attempt is not counted, so the wait always ends.
   *
   * @param client as client-address.ts names the client
   * @param account the user name's key, whether or not the account exists
   * @param now a monotonic time in milliseconds
   * @throws TooManyLogIns
   */
  take(client: string, account: string, now: number = performance.now()): LogInTry {
    const pair = JSON.stringify([client, account]);
    const [delay, key] = this.#familiar.has(pair) ? [this.#pairs, pair] : [this.#accounts, account];
    const waitMs = Math.max(this.#clients.waitMs(client, now), delay.waitMs(key, now));
    if (waitMs > 0) throw new TooManyLogIns(Math.ceil(waitMs / 1_000));
    this.#clients.count(client, now);
    delay.count(key, now);
    return {
      succeeded: () => {
        this.#clients.takeBack(client);
        delay.forget(key);
        this.#becomesFamiliar(pair);
      },
      failed: (failedAt = performance.now()) => {
        this.#clients.restart(client, failedAt);
        delay.restart(key, failedAt);
      },
      abandoned: () => {
        this.#clients.takeBack(client);
        delay.takeBack(key);
      },
    };
  }

  #becomesFamiliar(pair: string): void {
    this.#familiar.delete(pair);
    this.#familiar.add(pair);
    const [oldest] = this.#familiar;
    if (this.#familiar.size > MAX_FAMILIAR) this.#familiar.delete(oldest!);
  }
}
