/** The preferred form of an HTTP-date and the two obsolete ones (RFC 9110 §5.6.7). */
const FORMS = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) [A-Z][a-z]{2} \d{4} \d\d:\d\d:[0-5]\d GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-[A-Z][a-z]{2}-\d\d \d\d:\d\d:[0-5]\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} (?<day>[ \d]\d) \d\d:\d\d:[0-5]\d \d{4}$/,
];

/**
 * Parses an HTTP-date of any form (RFC 9110 §5.6.7). The name of the day is not compared with the date. Two-digit years
 * are those from 1950 to 2049.
 *
 * @returns seconds since 1970; undefined when the date is malformed or does not exist
 */
export function parseHttpDate(text: string): number | undefined {
  const day = FORMS.map((form) => form.exec(text)?.groups!['day']).find((found) => found !== undefined);
  // Without `GMT`, `Date` reads a local time. It reads 30 February as 2 March.
  const date = new Date(text.endsWith('GMT') ? text : `${text} GMT`);
  return date.getUTCDate() === Number(day) ? date.getTime() / 1_000 : undefined;
}

/**
 * The time of the last change in whole seconds, as HTTP has it (RFC 9110 §8.8.2). The date that is shown must denote no
 * later change: then "not changed since this date" and "changed at or after this date" are both exact.
 */
export class LastModified {
  readonly #changed: number;
  readonly #shown: number;

  /**
   * All times are in milliseconds since 1970.
   *
   * @param changedAtMs the time of the last change
   * @param latestMs the latest date to show, because changes may follow in later seconds
   */
  constructor(changedAtMs: number, latestMs = Infinity, nowMs = Date.now()) {
    this.#changed = Math.floor(changedAtMs / 1_000);
    this.#shown = Math.floor(Math.min(changedAtMs, latestMs, nowMs) / 1_000);
  }

  /** The value of `Last-Modified`; never in the future (RFC 9110 §8.8.2.1). */
  get field(): string {
    return new Date(this.#shown * 1_000).toUTCString();
  }

  /** Whether an earlier date is shown than that of the change, although its second is over. */
  get isOutdated(): boolean {
    return this.#shown < this.#changed && this.#changed < Math.floor(Date.now() / 1_000);
  }

  /**
   * Whether the date of `If-Unmodified-Since` proves that the client knows the current state; undefined when it is not
   * a date and must be ignored (RFC 9110 §13.1.4).
   */
  isUnmodifiedSince(date: string): boolean | undefined {
    const seconds = parseHttpDate(date);
    return seconds === undefined ? undefined : seconds >= this.#changed;
  }

  /**
   * Whether the date of `If-Modified-Since` proves that the client has the current state (RFC 9110 §13.1.3). A date in
   * the future does not: a client whose clock is ahead would miss changes until then.
   */
  isNotModifiedSince(date: string, nowMs = Date.now()): boolean {
    const seconds = parseHttpDate(date);
    return seconds !== undefined && seconds >= this.#changed && seconds <= nowMs / 1_000;
  }
}
