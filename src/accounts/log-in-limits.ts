import { Injectable } from '@nestjs/common';
import { TooManyLogIns } from './accounts.problems.js';
import { type DelayRules, GrowingDelay } from './growing-delay.js';

const MAX_KEYS = 10_000;

/** An address may be that of many people; one that guesses is soon down to four tries an hour. */
const PER_CLIENT: DelayRules = { freeTries: 10, maxDelayMs: 15 * 60_000, maxKeys: MAX_KEYS };
/** However many addresses guess: they have a try a minute, and so does, at the worst, whom they keep from logging in. */
const PER_ACCOUNT: DelayRules = { freeTries: 5, maxDelayMs: 60_000, maxKeys: MAX_KEYS };

/** How many clients are known by the accounts that they have logged in to. */
const MAX_FAMILIAR = 1_000;

/** A try to log in that was let through. */
export interface LogInTry {
  /** It was no guess. */
  succeeded(): void;
  failed(now?: number): void;
  /** It was never looked at. */
  abandoned(): void;
}

/**
 * Limits how often passwords are tried: from a client, over all accounts, and for an account, over all clients. A client
 * that has logged in to the account before is counted by itself, so that others' guesses do not lock it out.
 */
@Injectable()
export class LogInLimits {
  readonly #clients = new GrowingDelay(PER_CLIENT);
  readonly #accounts = new GrowingDelay(PER_ACCOUNT);
  /** By client and account, for clients that are familiar: a user name may read like such a pair. */
  readonly #pairs = new GrowingDelay(PER_ACCOUNT);
  /** In the order in which they were last seen. */
  readonly #familiar = new Set<string>();

  /**
   * Counts a try. While there is a wait nothing is counted: whoever waits gets through.
   *
   * @param client what client-address.ts calls the client
   * @param account the user name's key, whether or not there is such an account
   * @param now a time that never goes back, in milliseconds
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
