/** A range of days, both included, as the two date inputs hold it: `2026-11-01`. Empty where it is open. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

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

function daysOf(month: string): number {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.getUTCDate();
}
