import { formatOf } from './clocks.js';
import { toInput, zoneOf } from './input.js';

const SHORT = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** `20 Nov 2026, 15:40 CET` */
export function momentText(at: string, zone: string): string {
  return formatOf(zoneOf(at, zone), SHORT).format(new Date(at));
}

/** `2026-11-20 15:40:07.123456 CET`, with all digits. */
export function exactText(at: string, zone: string): string {
  const fraction = /\.\d+(?=Z$)/.exec(at)?.[0].replace(/^\.000$/, '') ?? '';
  const abbreviation = momentText(at, zone).split(' ').at(-1);
  return `${toInput(at, zone).replace('T', ' ')}${fraction} ${abbreviation}`;
}

/** `2026-11` as `November 2026`. */
export function formatLongMonth(month: string): string {
  const format = formatOf('UTC', { month: 'long', year: 'numeric' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
