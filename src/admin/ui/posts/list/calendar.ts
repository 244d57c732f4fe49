/** A range of days, both inclusive, in the format of the date inputs: `2026-11-01`. An open end is empty. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

export function yearRange(year: string): DayRange {
  return { from: `${year}-01-01`, to: `${year}-12-31` };
}

/** @param month in the format `2026-11` */
export function monthRange(month: string): DayRange {
  return { from: `${month}-01`, to: `${month}-${daysOf(month)}` };
}

/** Returns the year and the month that contain the whole range, if any. */
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
