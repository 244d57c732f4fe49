import { instantOf } from './time-zone.js';

const FIRST = '0001-01';
const LAST = '9999-12';

/**
 * The months of a time zone, computed on dates in their stored form, which sorts as text. A date that is before the
 * year 1 or after 9999 in the zone counts to the first or the last month.
 */
export class ZonedMonths {
  readonly #starts = new Map<string, string>();

  constructor(private readonly zone: string) {}

  /**
   * @param stored a date in its stored form, or a prefix of it: up to the second, or a day that is not at an end of its
   *   month
   */
  monthOf(stored: string): string {
    const month = stored.slice(0, 7);
    if (stored < this.startOf(month)) return neighbourOf(month, -1);
    return stored < this.endOf(month) ? month : neighbourOf(month, 1);
  }

  /** The first date of a month. */
  startOf(month: string): string {
    if (month === FIRST) return FIRST;
    let start = this.#starts.get(month);
    if (start === undefined) {
      const instant = instantOf(this.zone, Date.parse(`${month}-01T00:00:00Z`));
      // A prefix up to the second sorts before every stored date that continues it.
      start = new Date(instant).toISOString().slice(0, 19);
      this.#starts.set(month, start);
    }
    return start;
  }

  /** The exclusive end of a month: the start of the next one. */
  endOf(month: string): string {
    return month === LAST ? `${LAST}-32` : this.startOf(neighbourOf(month, 1));
  }
}

function neighbourOf(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** `count` consecutive months up to and including `last`, oldest first. Months before the year 1 are left out. */
export function monthsUpTo(last: string, count: number): string[] {
  const end = Number(last.slice(0, 4)) * 12 + Number(last.slice(5)) - 1;
  return Array.from({ length: count }, (_, index) => end - count + 1 + index)
    .filter((month) => month >= 12)
    .map((month) => {
      const year = String(Math.floor(month / 12)).padStart(4, '0');
      return `${year}-${String((month % 12) + 1).padStart(2, '0')}`;
    });
}
