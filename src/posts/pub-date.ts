import { textValidator } from '../input/index.js';

/** The allowed forms of a `pub_date`, for error messages. */
export const PUB_DATE_RULE =
  'The value must be a date and time of ISO 8601, such as 2026-11-20T14:40:00Z, 2026-11-20 14:40:00.123456+01:00 or ' +
  '2026-11-20, in the years 0001 to 9999 both as written and in UTC, where no offset means UTC.';

/**
 * Matches at most six decimals of the seconds. The rest is skipped without a pattern: its length is unlimited, and the
 * stack of a regular expression is not.
 */
const PUB_DATE = /^(\d{4}-\d\d-\d\d)(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,6}))?)?)?/;
/** The sign, hours and minutes of an offset, as RFC 3339, PHP (`+0100`), PostgreSQL (`+01`) and BigQuery (` UTC`) write it. */
const OFFSET = /^(?:[Zz]| UTC|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?)?$/;
/** The years 0001 to 9999; `Date` writes others with more digits. */
const YEAR = /^(?!0000)\d{4}-/;

/**
 * Converts a `pub_date` (ISO 8601, RFC 3339) to its stored form: UTC with microseconds, always 27 characters as in
 * `2026-11-20T14:40:00.000000Z`, so that text order is time order. Digits beyond microseconds are cut. Returns
 * `undefined` for anything that {@link PUB_DATE_RULE} does not allow.
 *
 * `Date` alone would cut the microseconds, and take a date without an offset for local time.
 */
export function parsePubDate(text: string): string | undefined {
  const found = PUB_DATE.exec(text);
  if (!found) return undefined;
  const [start, date = '', time, second = '00', fraction = ''] = found;
  const offset = OFFSET.exec(text.slice(fraction === '' ? start.length : endOfDigits(text, start.length)));
  if (!offset || (time === undefined && offset[0] !== '')) return undefined;
  // A day that does not exist is invalid, or becomes one of the next month.
  if (dateText(`${date}T00:00Z`)?.slice(0, 10) !== date || !YEAR.test(date)) return undefined;
  const local = `${date}T${time ?? '00:00'}`;
  const [, offsetHours, offsetMinutes = '00'] = offset;
  const utc = offsetHours === undefined ? local : dateText(`${local}${offsetHours}:${offsetMinutes}`);
  if (utc === undefined || !YEAR.test(utc)) return undefined;
  return `${utc.slice(0, 'YYYY-MM-DDTHH:MM'.length)}:${second}.${fraction.padEnd(6, '0')}Z`;
}

function dateText(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Requires a text that {@link parsePubDate} accepts. */
export function IsPubDate(): PropertyDecorator {
  return textValidator('not_a_date', (text) => parsePubDate(text) !== undefined, PUB_DATE_RULE);
}

/** Formats a stored `pub_date` for clients: with three decimals, or six when there are microseconds. */
export function formatPubDate(stored: string): string {
  return stored.endsWith('000Z') ? `${stored.slice(0, -4)}Z` : stored;
}

/** Formats a stored time of a change, whose digits after the milliseconds are not part of it. */
export function formatTime(stored: string): string {
  return `${stored.slice(0, 'YYYY-MM-DDTHH:MM:SS.mmm'.length)}Z`;
}

/** A time in the stored form; by default the current one. @param ms since 1970 */
export function toPubDate(ms = Date.now()): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  return end;
}
