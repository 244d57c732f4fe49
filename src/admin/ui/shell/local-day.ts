/** The moment at which a day begins, or the days after it, in the time zone of who looks: `2026-11-20` is what a date input gives. */
export function startOfDay(day: string, daysLater = 0): string | undefined {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  const start = new Date(0);
  start.setFullYear(year, month - 1, date + daysLater);
  start.setHours(0, 0, 0, 0);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}
