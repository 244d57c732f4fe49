import { instantOf } from '../../../posts/overview/zoned-months.js';

/** The order of the parts of a date. A date that starts with a four-digit year is always read as `ymd`. */
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** The format of the dates in a file. */
export interface DateFormat {
  /** Undefined while unknown: `1/2/2026` may be in January or in February. */
  readonly order: DateOrder | undefined;
  /** The time zone of dates without one. */
  readonly zone: string;
}

const DATE = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:(?:[Tt]|,?\s+)(.+))?$/;
const TIME = /^(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?)?$/i;
/** A date with an offset from UTC, which the service accepts with all of its digits. */
const WITH_OFFSET = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d.*(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Converts a cell to a date in the service's format; undefined if it is no date in that order. */
export function readDate(cell: string, { order, zone }: DateFormat): string | undefined {
  const text = cell.trim();
  if (WITH_OFFSET.test(text)) return text;
  const [, first = '', separator, second = '', third = '', clock = '00:00'] = DATE.exec(text) ?? [];
  const time = TIME.exec(clock.trim());
  if (separator === undefined || time === null) return undefined;
  const isYearFirst = first.length === 4;
  const dayFirst = order === 'dmy';
  if (!isYearFirst && order !== 'dmy' && order !== 'mdy') return undefined;
  const year = isYearFirst ? first : yearOf(third);
  const [month, day] = isYearFirst ? [second, third] : dayFirst ? [second, first] : [first, second];
  const hour = hourOf(Number(time[1]), time[5]);
  if (year === undefined || hour === undefined) return undefined;
  const wallText = `${year}-${two(month)}-${two(day)}T${two(hour)}:${time[2]}:${time[3] ?? '00'}`;
  const wall = Date.parse(`${wallText}Z`);
  // Rejects a date such as 30 February, or a day of three digits.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 19) !== wallText) return undefined;
  const instant = new Date(instantOf(zone, wall)).toISOString();
  return `${instant.slice(0, -5)}${time[4] === undefined ? '' : `.${time[4]}`}Z`;
}

/** Returns the order in which all cells are dates; undefined when several orders match, or none. */
export function guessOrder(cells: readonly string[]): DateOrder | undefined {
  const dates = cells.map((cell) => DATE.exec(cell.trim())).filter((found) => found !== null);
  const others = dates.filter(([, first = '']) => first.length < 4);
  if (others.length === 0) return 'ymd';
  const possible = (['dmy', 'mdy'] as const).filter((order) =>
    others.every(([, first, separator, second]) => {
      const month = Number(order === 'dmy' ? second : first);
      // In dates with dots, the day comes first.
      return month <= 12 && (order === 'dmy' || separator !== '.');
    }),
  );
  return possible.length === 1 ? possible[0] : undefined;
}

/** Two-digit years in spreadsheets mean 1969 to 2068. */
function yearOf(text: string): string | undefined {
  if (text.length === 4) return text;
  if (text.length !== 2) return undefined;
  return String(Number(text) + (Number(text) < 69 ? 2000 : 1900));
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

function two(part: string | number): string {
  return String(part).padStart(2, '0');
}
