import type { Request, Response } from 'express';
import { TooManyRequests } from '../../problem-details/problems.js';
import { clientOf } from '../request/client-address.js';

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** The maximum number of tracked clients; at about 150 bytes each they take 15 MB. */
const MAX_CLIENTS = 100_000;

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Limits the requests of each client per minute and reports the limit in the fields of
 * draft-ietf-httpapi-ratelimit-headers. A client's minute begins with its first request.
 */
export class RateLimit {
  readonly #policy: string;
  /** Ordered by the end of the window. */
  readonly #windows = new Map<string, Window>();

  constructor(
    private readonly perMinute: number,
    private readonly maxClients = MAX_CLIENTS,
  ) {
    this.#policy = `"client";q=${perMinute};w=${WINDOW_SECONDS}`;
  }

  /**
   * Counts the request.
   *
   * @param now a monotonic time in milliseconds
   * @throws TooManyRequests
   */
  take(request: Request, response: Response, now: number = performance.now()): void {
    const window = this.#windowOf(clientOf(request.ip), now);
    const secondsLeft = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
    window.used += 1;
    const remaining = Math.max(0, this.perMinute - window.used);
    response.setHeader('RateLimit-Policy', this.#policy);
    response.setHeader('RateLimit', `"client";r=${remaining};t=${secondsLeft}`);
    if (window.used > this.perMinute) throw new TooManyRequests(this.perMinute, secondsLeft);
  }

  #windowOf(client: string, now: number): Window {
    const current = this.#windows.get(client);
    if (current && current.endsAt > now) return current;
    this.#windows.delete(client);
    this.#forgetEnded(now);
    const window = { endsAt: now + WINDOW_MS, used: 0 };
    this.#windows.set(client, window);
    return window;
  }

  /** This many clients at once are an attack. Removing the oldest clients is better than running out of memory. */
  #forgetEnded(now: number): void {
    for (const [client, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.maxClients) return;
      this.#windows.delete(client);
    }
  }
}
