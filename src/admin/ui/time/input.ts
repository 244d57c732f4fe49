import { instantOf, instantsOf, wallClockAt } from '../../../posts/overview/time-zone.js';

/** What the clocks show at that time: `2026-11-20T15:40:00`, or another form where the year has not four digits. */
function clockText(at: number, zone: string): string {
  return Number.isNaN(at) ? '' : new Date(wallClockAt(zone, at)).toISOString().slice(0, -5);
}

/** The zone that a date is shown in: the one that was chosen, or UTC where its clocks are beyond the years 1 to 9999. */
export function zoneOf(at: string, zone: string): string {
  return /^(?!0000)\d{4}-/.test(clockText(Date.parse(at), zone)) ? zone : 'UTC';
}

/** A date as an `<input type="datetime-local">` holds it, to the second. Empty for an empty one. */
export function toInput(at: string, zone: string): string {
  return at === '' ? '' : clockText(Date.parse(at), zoneOf(at, zone));
}

/**
 * What an input's text stands for, as the service writes it. A text that shows the original, which has fractions of a
 * second that no input shows, is the original. Where clocks show the time twice, it is the first.
 */
export function fromInput(text: string, zone: string, original: string): string {
  if (text === '') return '';
  // Browsers leave out seconds that are zero.
  const clock = /T\d\d:\d\d$/.test(text) ? `${text}:00` : text.slice(0, 19);
  if (clock === toInput(original, zone)) return original;
  const wall = Date.parse(`${clock}Z`);
  return Number.isNaN(wall) ? text : new Date(instantOf(zone, wall)).toISOString();
}

/** What is special about the clocks at a time of an input: it is left out, or it comes twice. */
export type ClockChange =
  { readonly kind: 'gap'; readonly at: string } | { readonly kind: 'twice'; readonly at: readonly string[] };

export function clockChange(text: string, zone: string): ClockChange | undefined {
  const wall = Date.parse(`${text}Z`);
  if (Number.isNaN(wall)) return undefined;
  const instants = instantsOf(zone, wall).map((instant) => new Date(instant).toISOString());
  if (instants.length === 0) return { kind: 'gap', at: new Date(instantOf(zone, wall)).toISOString() };
  return instants.length === 1 ? undefined : { kind: 'twice', at: instants };
}

/** Whether a date is one that posts take: in UTC, of a year from 1 to 9999. */
export function isStorable(at: string): boolean {
  return at === '' || /^(?!0000)\d{4}-/.test(at);
}

/** Whether a text is a day of the calendar: there is no 30 February. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The instant at which a day of the zone begins, or the days after it; none for what is no day, or beyond the calendar. */
export function startOfDay(day: string, zone: string, daysLater = 0): string | undefined {
  if (!isDay(day)) return undefined;
  const date = new Date(`${day}T00:00:00Z`);
  const start = new Date(instantOf(zone, date.setUTCDate(date.getUTCDate() + daysLater))).toISOString();
  return isStorable(start) ? start : undefined;
}
