import { textValidator } from '../http/request/validation.js';

/** The allowed forms of a `pub_date`, for error messages. */
export const PUB_DATE_RULE =
  'The value must be a date and time of ISO 8601, such as 2026-11-20T14:40:00Z, 2026-11-20 14:40:00.123456+01:00 or ' +
  '2026-11-20, in the years 0001 to 9999 both as written and in UTC, where no offset means UTC.';

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
/**
 * Matches at most six decimals of the seconds. The rest is skipped without a pattern: its length is unlimited, and the
 * stack of a regular expression is not.
 */
const DATE_AND_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?/;
const OFFSET = /^([+-])(\d\d):(\d\d)$/;

/**
 * Converts a `pub_date` (ISO 8601, RFC 3339) to its stored form: UTC with microseconds, always 27 characters as in
 * `2026-11-20T14:40:00.000000Z`, so that text order is time order. Digits beyond microseconds are cut. Returns
 * `undefined` for anything that {@link PUB_DATE_RULE} does not allow.
 *
 * `Date.parse` would cut the microseconds, read the year 99 as 1999 and roll 30 February over into March.
 */
export function parsePubDate(text: string): string | undefined {
  const date = DATE.exec(text);
  if (date) return toStored(Number(date[1]), Number(date[2]), Number(date[3]), 0, '00', '');

  const found = DATE_AND_TIME.exec(text);
  if (!found) return undefined;
  const [start, year, month, day, hour, minute, second = '00', fraction = ''] = found;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offsetMinutes = parseOffset(
    text.slice(fraction === '' ? start.length : endOfDigits(text, start.length)),
  );
  if (offsetMinutes === undefined) return undefined;
  const minutes = Number(hour) * 60 + Number(minute) - offsetMinutes;
  return toStored(Number(year), Number(month), Number(day), minutes, second, fraction);
}

/** Requires a text that {@link parsePubDate} accepts. */
export function IsPubDate(): PropertyDecorator {
  return textValidator('not_a_date', (text) => parsePubDate(text) !== undefined, PUB_DATE_RULE);
}

/** Formats a stored `pub_date` for clients: with three decimals, or six when there are microseconds. */
export function formatPubDate(stored: string): string {
  return stored.endsWith('000Z') ? `${stored.slice(0, -4)}Z` : stored;
}

/** The current time in the stored form. */
export function nowAsPubDate(): string {
  return toPubDate(Date.now());
}

/** Converts milliseconds since 1970 to the stored form. */
export function toPubDate(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  return end;
}

/** The offset from UTC in minutes; no offset means UTC. */
function parseOffset(text: string): number | undefined {
  if (text === '' || text === 'Z' || text === 'z') return 0;
  const found = OFFSET.exec(text);
  if (!found) return undefined;
  const [hours, minutes] = [Number(found[2]), Number(found[3])];
  if (hours > 23 || minutes > 59) return undefined;
  return found[1] === '-' ? -(hours * 60 + minutes) : hours * 60 + minutes;
}

/**
 * Checks the date and carries the minutes into it.
 *
 * @param minutes in UTC, since midnight of the written day; possibly outside that day
 * @param second two digits
 * @param fraction up to six digits
 */
function toStored(
  year: number,
  month: number,
  day: number,
  minutes: number,
  second: string,
  fraction: string,
): string | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that does not exist has become one of another month.
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  date.setUTCMinutes(minutes);
  const utcYear = date.getUTCFullYear();
  if (!isReal || year < 1 || utcYear < 1 || utcYear > 9999) return undefined;
  return `${date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:'.length)}${second}.${fraction.padEnd(6, '0')}Z`;
}
