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

/** The time of the last change. HTTP has it in whole seconds (RFC 9110 §8.8.2). */
export interface LastModified {
  /** In ISO 8601. */
  readonly changedAt: string;
  /** The latest date to show, in milliseconds since 1970, where later changes may be under way. */
  readonly latestMs?: number;
}

/** @param latestMs dropped if it is recent: two seconds after a change, a cached response shows the time of the change */
export function lastModifiedUpTo(latestMs: number, changedAt: string): LastModified {
  return latestMs < Date.now() - SETTLING_MS ? { changedAt, latestMs } : { changedAt };
}

/**
 * `Last-Modified`, at least two seconds ago, so that every later change has a later date. It stays the same until
 * `untilMs`; for ever, once it has the time of the change.
 */
export function showLastModified(shown: LastModified): { field: string; untilMs: number } {
  const { changedAt, latestMs = Infinity } = shown;
  const now = Date.now();
  const recentMs = now - SETTLING_MS;
  const lastMs = Math.min(Date.parse(changedAt), latestMs);
  const field = new Date(Math.min(lastMs, recentMs)).toUTCString();
  return { field, untilMs: lastMs <= recentMs ? Infinity : now + 1_000 - (now % 1_000) };
}

/**
 * Whether the date of `If-Unmodified-Since` is earlier than the second of the change (RFC 9110 §13.1.4). What is not a
 * date is ignored.
 */
export function isModifiedSince({ changedAt }: LastModified, date: string): boolean {
  const ms = parseHttpDate(date);
  return ms !== undefined && ms + 1_000 <= Date.parse(changedAt);
}

/**
 * Whether the date of `If-Modified-Since` has the second of the change or a later one (RFC 9110 §13.1.3). A date that
 * cannot have been shown yet is ignored: a client whose clock is ahead would miss changes.
 */
export function isNotModifiedSince({ changedAt }: LastModified, date: string): boolean {
  const ms = parseHttpDate(date);
  return ms !== undefined && ms <= Date.now() - SETTLING_MS && Date.parse(changedAt) < ms + 1_000;
}
