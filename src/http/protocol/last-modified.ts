const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;
const MONTH = `(?<month>${MONTHS.join('|')})`;

/** The three forms of an HTTP-date (RFC 9110 §5.6.7); they are case-sensitive. */
const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(String.raw`^(?:${DAYS.join('|')}), (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(String.raw`^(?:${LONG_DAYS.join('|')}), (?<day>\d\d)-${MONTH}-(?<shortYear>\d\d) ${TIME} GMT$`),
  // Sun Nov  6 08:49:37 1994
  new RegExp(String.raw`^(?:${DAYS.join('|')}) ${MONTH} (?<day>\d\d| \d) ${TIME} (?<year>\d{4})$`),
];

/** The latest interpretation of a two-digit year, in years from now (RFC 9110 §5.6.7). */
const MAX_YEARS_AHEAD = 50;

/** Formats a time, in seconds since 1970, in the preferred form. */
export function formatHttpDate(seconds: number): string {
  return new Date(seconds * 1_000).toUTCString();
}

/**
 * Parses an HTTP-date of any form.
 *
 * @param now in seconds since 1970; determines the century of a two-digit year
 * @returns seconds since 1970; undefined when the date is malformed or does not exist
 */
export function parseHttpDate(text: string, now = Date.now() / 1_000): number | undefined {
  for (const form of FORMS) {
    const found = form.exec(text)?.groups;
    if (!found) continue;
    const year =
      found['year'] === undefined ? yearOf(Number(found['shortYear']), now) : Number(found['year']);
    return secondsOf(year, found);
  }
  return undefined;
}

function yearOf(shortYear: number, now: number): number {
  const current = new Date(now * 1_000).getUTCFullYear();
  const year = current - (current % 100) + shortYear;
  return year > current + MAX_YEARS_AHEAD ? year - 100 : year;
}

function secondsOf(year: number, parts: Readonly<Record<string, string>>): number | undefined {
  const month = MONTHS.indexOf(parts['month']!);
  const numberOf = (name: string): number => Number(parts[name]);
  const [day, hour] = [numberOf('day'), numberOf('hour')];
  const [minute, second] = [numberOf('minute'), numberOf('second')];
  // A leap second is valid; `Date` interprets it as the next second.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const date = new Date(0);
  // `Date.UTC` interprets the year 99 as 1999.
  date.setUTCFullYear(year, month, day);
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second);
  return date.getTime() / 1_000;
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
    this.#changed = secondOf(changedAtMs);
    this.#shown = Math.min(this.#changed, secondOf(latestMs), secondOf(nowMs));
  }

  /** The value of `Last-Modified`; never in the future (RFC 9110 §8.8.2.1). */
  get field(): string {
    return formatHttpDate(this.#shown);
  }

  /** Whether an earlier date is shown than that of the change, although its second is over. */
  get isOutdated(): boolean {
    return this.#shown < this.#changed && this.#changed < secondOf(Date.now());
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

function secondOf(ms: number): number {
  return Math.floor(ms / 1_000);
}
