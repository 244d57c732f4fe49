import { toInput, zoneOf } from './input.js';

/** The locale of dates. */
const LOCALE = 'en-GB';

const LONG_MONTH = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });

const SHORT = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** `20 Nov 2026, 15:40 CET` */
export function momentText(at: string, zone: string): string {
  return formatOf(zoneOf(at, zone)).format(new Date(at));
}

/** The zone's abbreviation at that time: `CET`. */
function zoneText(at: string, zone: string): string {
  const parts = formatOf(zoneOf(at, zone)).formatToParts(new Date(at));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** `2026-11-20 15:40:07.123456 CET`, with all digits. */
export function exactText(at: string, zone: string): string {
  const fraction = /\.\d+(?=Z$)/.exec(at)?.[0].replace(/^\.000$/, '') ?? '';
  return `${toInput(at, zone).replace('T', ' ')}${fraction} ${zoneText(at, zone)}`;
}

/** `2026-11` as `November 2026`. */
export function formatLongMonth(month: string): string {
  return LONG_MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(LOCALE, { ...SHORT, timeZone: zone });
    formats.set(zone, format);
  }
  return format;
}
