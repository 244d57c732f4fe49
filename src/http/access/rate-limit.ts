import type { Response } from 'express';
import { TooManyRequests } from '../../problem-details/index.js';

const WINDOW_SECONDS = 60;
/** This many clients in a minute are an attack. Forgetting the oldest is better than running out of memory. */
const MAX_CLIENTS = 100_000;

/**
 * Limits the requests of each client per minute and reports the limit in the fields of
 * draft-ietf-httpapi-ratelimit-headers.
 */
export class RateLimit {
  readonly #used = new Map<string, number>();
  #endsAt = 0;

  constructor(private readonly perMinute: number) {}

  /**
   * Counts a request of the client.
   *
   * @param now a monotonic time in whole milliseconds: a difference of fractions may be above 60,000
   * @throws TooManyRequests
   */
  take(client: string, response: Response, now: number = Math.trunc(performance.now())): void {
    if (now >= this.#endsAt) {
      this.#used.clear();
      this.#endsAt = now + WINDOW_SECONDS * 1_000;
    }
    const used = (this.#used.get(client) ?? 0) + 1;
    this.#used.set(client, used);
    if (this.#used.size > MAX_CLIENTS) this.#used.delete(this.#used.keys().next().value!);
    const secondsLeft = Math.ceil((this.#endsAt - now) / 1_000);
    const remaining = Math.max(0, this.perMinute - used);
    response.setHeader('RateLimit-Policy', `"client";q=${this.perMinute};w=${WINDOW_SECONDS}`);
    response.setHeader('RateLimit', `"client";r=${remaining};t=${secondsLeft}`);
    if (used > this.perMinute) throw new TooManyRequests(this.perMinute, secondsLeft);
  }
}
