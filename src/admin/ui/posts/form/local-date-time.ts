/** The zones that a date can be entered in: the browser's own, and the one that the service keeps. */
export type Zone = 'local' | 'utc';

/**
 * A `pub_date` as an `<input type="datetime-local">` holds it, to the second: `2026-11-20T15:40:00`. Empty for an empty one.
 */
export function toInput(pubDate: string, zone: Zone): string {
  if (pubDate === '') return '';
  if (zone === 'utc') return pubDate.slice(0, 19);
  const date = new Date(pubDate);
  return (
    `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}` +
    `T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  );
}

/**
 * What an input's text stands for, as the service writes it. A text that shows the original, which has fractions of a
 * second that no input shows, is the original.
 */
export function fromInput(text: string, zone: Zone, original: string): string {
  if (text === '') return '';
  // Browsers leave out seconds that are zero.
  const withSeconds = /T\d\d:\d\d$/.test(text) ? `${text}:00` : text;
  if (withSeconds === toInput(original, zone)) return original;
  if (zone === 'utc') return `${withSeconds.slice(0, 19)}.000Z`;
  const date = new Date(withSeconds.slice(0, 19));
  // Where the year goes beyond four digits, the service says so.
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

/** `Europe/Vienna, UTC+01:00`: the browser's zone as it holds at that time; `UTC` where it is that. */
export function localZone(pubDate: string): string {
  const at = pubDate === '' ? new Date() : new Date(pubDate);
  const name = new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone;
  if (name === 'UTC') return name;
  const minutes = -Math.round(at.getTimezoneOffset());
  const offset = `${minutes < 0 ? '−' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${name}, UTC${offset}`;
}

/** `2026-11-20 14:40:00.123456`: in UTC and with all of its digits. */
export function exactUtc(pubDate: string): string {
  return pubDate.replace('T', ' ').replace(/(?:\.000)?Z$/, '');
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}
