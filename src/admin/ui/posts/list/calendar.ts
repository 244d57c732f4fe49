/** A range of days, both included, as the two date inputs hold it: `2026-11-01`. Empty where it is open. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The last day of a range that ends with the calendar, for which there is no day after. */
const LAST_DAY = '9999-12-31';

export function yearRange(year: string): DayRange {
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** @param month as `2026-11` */
export function monthRange(month: string): DayRange {
  return { from: `${month}-01`, to: `${month}-${daysOf(month)}` };
}

/** The year that a range lies in, and its month, when it does not reach beyond. */
export function periodOf({ from, to }: DayRange): { readonly year?: string; readonly month?: string } {
  if (from === '' || to === '' || from.slice(0, 4) !== to.slice(0, 4)) return {};
  const year = from.slice(0, 4);
  return from.slice(0, 7) === to.slice(0, 7) ? { year, month: from.slice(0, 7) } : { year };
}

/** The day after, or nothing after the last one that the service knows. */
export function dayAfter(day: string): string | undefined {
  if (day === LAST_DAY) return undefined;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar: there is no 30 February. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function daysOf(month: string): number {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.getUTCDate();
}
