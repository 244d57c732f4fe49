import { instantOf, wallClockAt } from './clocks.js';

/** Says that a date is half typed. */
export const PARTIAL_DATE = 'Enter a whole date, or none.';

/** The limits of an input of days. */
export const DAYS = { min: '0001-01-01', max: '9999-12-31' } as const;

/** A date in the years 1 to 9999. */
const YEARS = /^(?!0000)\d{4}-/;

/** Returns the local time in a zone: `2026-11-20T15:40:00`. The format differs for years without four digits. */
function clockText(at: number, zone: string): string {
  return Number.isNaN(at) ? '' : new Date(wallClockAt(zone, at)).toISOString().slice(0, -5);
}

/** The first and the last year, which another zone may leave. */
const EDGES = /^(?:0001|9999)-/;

/** Returns the zone to show a date in: the chosen one, or UTC if the local year is not within 1 to 9999. */
export function zoneOf(at: string, zone: string): string {
  return !EDGES.test(at) || YEARS.test(clockText(Date.parse(at), zone)) ? zone : 'UTC';
}

/** Converts a date to the value of an `<input type="datetime-local">`, to the second. An empty date stays empty. */
export function toInput(at: string, zone: string): string {
  return at === '' ? '' : clockText(Date.parse(at), zoneOf(at, zone));
}

/**
 * Converts an input's text to a date in the service's format. A text that shows the original, which may have fractions
 * of a second, returns the original unchanged.
 *
 * @param last the date before the edit: of a local time that occurs twice, the one with its offset is meant
 */
export function fromInput(text: string, zone: string, original: string, last = original): string {
  if (text === '') return '';
  // Browsers omit seconds that are zero.
  const clock = /T\d\d:\d\d$/.test(text) ? `${text}:00` : text.slice(0, 19);
  if (clock === toInput(original, zone)) return original;
  const wall = Date.parse(`${clock}Z`);
  return Number.isNaN(wall) ? text : new Date(instantOf(zone, wall, Date.parse(last))).toISOString();
}

/**
 * Returns when a day starts in the zone, or a number of days later; undefined for an invalid day or beyond the
 * calendar.
 */
export function startOfDay(day: string, zone: string, daysLater = 0): string | undefined {
  const date = new Date(`${day}T00:00:00Z`);
  // 30 February would be a day in March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(`${day}T`)) return undefined;
  const start = new Date(instantOf(zone, date.setUTCDate(date.getUTCDate() + daysLater))).toISOString();
  return YEARS.test(start) ? start : undefined;
}
