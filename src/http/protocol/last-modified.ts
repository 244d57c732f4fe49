import { formatHttpDate, parseHttpDate } from './http-date.js';

/**
 * So long after a second that two changes share, the date of the next one is shown: what is shown may have been read
 * before, and the clock of the database may be behind.
 */
const SETTLING_MS = 2_000;

export interface LastChange {
  /** In milliseconds since 1970. */
  readonly atMs: number;
  /** Whether another change came before it in the same second: the date of that second names two states. */
  readonly sharesSecond: boolean;
  /** Changes from this time on may not be seen yet, though they have been made. */
  readonly unseenSinceMs?: number | undefined;
}

/**
 * The time of the last change as HTTP has it, in whole seconds (RFC 9110 §8.8.2). A date that a client brings back proves
 * that it has the present state only if it names no other: so where two changes share a second, the date is that of the
 * next second, once that is over. Until then, no date is proof.
 */
export class LastModified {
  /** The first second whose date names the present state alone. */
  readonly #provenFrom: number;
  /** In milliseconds since 1970: when there will be a better date to show. */
  readonly #outdatedAtMs: number;

  readonly #shown: number;

  /** @param nowMs when the state was read, or, where that takes next to no time, the present */
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

  /** Whether the field names no present state yet, and a new one would. */
  get isOutdated(): boolean {
    return this.#outdatedAtMs <= Date.now();
  }

  /**
   * Whether the date of `If-Unmodified-Since` shows that the client knows the present state; undefined when it is no date,
   * and so to be ignored (RFC 9110 §13.1.4).
   */
  isUnmodifiedSince(date: string): boolean | undefined {
    const seconds = parseHttpDate(date);
    return seconds === undefined ? undefined : seconds >= this.#provenFrom;
  }

  /**
   * Whether the date of `If-Modified-Since` shows that the client has the present state (RFC 9110 §13.1.3). One in the
   * future does not: a client whose clock is ahead would miss what changes until then.
   */
  isNotModifiedSince(date: string, nowMs = Date.now()): boolean {
    const seconds = parseHttpDate(date);
    return seconds !== undefined && seconds >= this.#provenFrom && seconds <= nowMs / 1_000;
  }
}

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
