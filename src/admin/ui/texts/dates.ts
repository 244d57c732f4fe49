/** How dates are written in the site's language. */
const LOCALE = 'en-GB';

const DATE_TIME_UTC = new Intl.DateTimeFormat(LOCALE, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});
const LONG_MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'short', timeZone: 'UTC' });

/** `20 Nov 2026, 14:40` */
export function formatUtc(pubDate: string): string {
  return DATE_TIME_UTC.format(new Date(pubDate));
}

/** `Nov`, of `2026-11` */
export function formatMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

/** `November 2026`, of `2026-11` */
export function formatLongMonth(month: string): string {
  return LONG_MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

/** The moment at which a day begins, or the days after it, in the time zone of who looks: `2026-11-20` is what a date input gives. */
export function startOfDay(day: string, daysLater = 0): string | undefined {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  const start = new Date(0);
  start.setFullYear(year, month - 1, date + daysLater);
  start.setHours(0, 0, 0, 0);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
