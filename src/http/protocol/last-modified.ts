/**
 * Parses an HTTP-date of the preferred form, or of the two obsolete ones (RFC 9110 §5.6.7). The name of the day is not
 * compared with the date. Two-digit years are those from 1950 to 2049.
 *
 * @returns milliseconds since 1970; undefined when the date is malformed or does not exist
 */
export function parseHttpDate(text: string): number | undefined {
  // Without `GMT`, `Date` reads a local time. It reads 30 February as 2 March, so the forms of what it reads are compared.
  const date = new Date(text.endsWith('GMT') ? text : `${text} GMT`);
  const [, day = '', month, year = '', time] = date.toUTCString().split(' ');
  const forms = [
    `${day} ${month} ${year} ${time} GMT`,
    `${day}-${month}-${year.slice(2)} ${time} GMT`,
    `${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
  ];
  return forms.includes(text.replace(/^[A-Z][a-z]+,? /, '')) ? date.getTime() : undefined;
}

/** A date this much before the response is shown only when no further change can have it. */
const SETTLING_MS = 2_000;

/** The time of the last change in whole seconds, as HTTP has it (RFC 9110 §8.8.2). All times are in milliseconds. */
export class LastModified {
  readonly #secondMs: number;
  readonly #latestMs: number;

  /** @param changedAt in ISO 8601 @param latestMs the latest date to show, as later changes may be under way */
  constructor(changedAt: string, latestMs = Infinity) {
    this.#secondMs = Math.floor(Date.parse(changedAt) / 1_000) * 1_000;
    // Without such changes, a response that is cached shows the time of the change as soon as it is two seconds old.
    this.#latestMs = latestMs < Date.now() - SETTLING_MS ? latestMs : Infinity;
  }

  /**
   * `Last-Modified`, at least two seconds ago, so that every later change has a later date. It stays the same until
   * `untilMs`; for ever, once it has the time of the change.
   */
  show(): { readonly field: string; readonly untilMs: number } {
    const now = Date.now();
    const recentMs = now - SETTLING_MS;
    const lastMs = Math.min(this.#secondMs, this.#latestMs);
    const field = new Date(Math.min(lastMs, recentMs)).toUTCString();
    return { field, untilMs: lastMs <= recentMs ? Infinity : now + 1_000 - (now % 1_000) };
  }

  /**
   * Whether the date of `If-Unmodified-Since` is that of the change or later; undefined when it is not a date and must be
   * ignored (RFC 9110 §13.1.4).
   */
  isUnmodifiedSince(date: string): boolean | undefined {
    const ms = parseHttpDate(date);
    return ms === undefined ? undefined : this.#secondMs <= ms;
  }

  /**
   * Whether the date of `If-Modified-Since` is that of the change or later (RFC 9110 §13.1.3). A date that cannot have
   * been shown yet is ignored: a client whose clock is ahead would miss changes.
   */
  isNotModifiedSince(date: string): boolean {
    const ms = parseHttpDate(date);
    return ms !== undefined && this.#secondMs <= ms && ms <= Date.now() - SETTLING_MS;
  }
}
