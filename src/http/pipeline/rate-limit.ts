import type { Request, Response } from 'express';
import { TooManyRequests } from '../../problem-details/problems.js';
import { clientOf } from '../request/client-address.js';

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

/** How many clients are told apart at a time; at about 150 bytes each they take 15 MB. */
const MAX_CLIENTS = 100_000;

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Lets each client have a number of requests a minute, and tells it of them by the fields of
 * draft-ietf-httpapi-ratelimit-headers. A client's minute begins with its first request.
 */
export class RateLimit {
  readonly #policy: string;
  /** In the order in which they end. */
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
   * @param now a time that never goes back, in milliseconds
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

  /** So many clients at once are an attack, and forgetting the oldest of them costs less than running out of memory. */
  #forgetEnded(now: number): void {
    for (const [client, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.maxClients) return;
      this.#windows.delete(client);
    }
  }
}
