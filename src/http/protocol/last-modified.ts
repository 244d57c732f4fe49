import { formatHttpDate, parseHttpDate } from './http-date.js';

/**
 * The delay after a second with two changes before the date of the next second is shown: the state may have been read
 * earlier, and the clock of the database may be behind.
 */
const SETTLING_MS = 2_000;

export interface LastChange {
  readonly atMs: number;
  /** Whether an earlier change happened in the same second, so that the date of that second denotes two states. */
  readonly sharesSecond: boolean;
  /** Changes from this time on may be committed but not visible yet. */
  readonly unseenSinceMs?: number | undefined;
}

/**
 * The time of the last change in whole seconds, as HTTP has it (RFC 9110 §8.8.2). A date in a condition proves that the
 * client has the current state only if the date denotes no other state. When two changes share a second, the next
 * second is used, once it is over. Until then, no date is proof.
 */
export class LastModified {
  /** The first second whose date denotes only the current state. */
  readonly #provenFrom: number;
  /** The time from which a better date can be shown, in milliseconds since 1970. */
  readonly #outdatedAtMs: number;

  readonly #shown: number;

  /** @param nowMs when the state was read, or the present if reading takes almost no time */
  constructor({ atMs, sharesSecond, unseenSinceMs = Infinity }: LastChange, nowMs = Date.now()) {
    this.#provenFrom = secondOf(atMs) + (sharesSecond ? 1 : 0);
    const settlesAtMs = this.#provenFrom * 1_000 + (sharesSecond ? SETTLING_MS : 0);
    const isSettled = nowMs >= settlesAtMs;
    const second = isSettled ? this.#provenFrom : secondOf(atMs);
    this.#shown = Math.min(second, secondOf(nowMs), secondOf(unseenSinceMs));
    this.#outdatedAtMs = isSettled ? Infinity : settlesAtMs;
  }

  /** The value of `Last-Modified`; never in the future (RFC 9110 §8.8.2.1). */
  get field(): string {
    return formatHttpDate(this.#shown);
  }

  /** Whether the field does not denote the current state yet, while a new one would. */
  get isOutdated(): boolean {
    return this.#outdatedAtMs <= Date.now();
  }

  /**
   * Whether the date of `If-Unmodified-Since` proves that the client knows the current state; undefined when it is not
   * a date and must be ignored (RFC 9110 §13.1.4).
   */
  isUnmodifiedSince(date: string): boolean | undefined {
    const seconds = parseHttpDate(date);
    return seconds === undefined ? undefined : seconds >= this.#provenFrom;
  }

  /**
   * Whether the date of `If-Modified-Since` proves that the client has the current state (RFC 9110 §13.1.3). A date in
   * the future does not: a client whose clock is ahead would miss changes until then.
   */
  isNotModifiedSince(date: string, nowMs = Date.now()): boolean {
    const seconds = parseHttpDate(date);
    return seconds !== undefined && seconds >= this.#provenFrom && seconds <= nowMs / 1_000;
  }
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
