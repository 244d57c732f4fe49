const LONG = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** `November 2026` of `2026-11`. */
export function monthName(month: string): string {
  return LONG.format(firstDay(month));
}

/** `Nov`, as there is room for below a bar. */
export function shortMonthName(month: string): string {
  return SHORT.format(firstDay(month));
}

function firstDay(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}
