const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The local time of a zone at an instant. Both are in milliseconds since 1970: the local time is given as the UTC
 * instant with the same date and time of day.
 */
export function wallClockAt(zone: string, instant: number): number {
  const parts = formatOf(zone, { timeZoneName: 'longOffset' }).formatToParts(instant);
  // `GMT+05:30`, or `GMT-00:01:15` before there were time zones.
  const { value } = parts.find(({ type }) => type === 'timeZoneName')!;
  const [hours = 0, minutes = 0, seconds = 0] = value.match(/\d+/g)?.map(Number) ?? [];
  const offset = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return value.includes('-') ? instant - offset : instant + offset;
}

/**
 * The instant at which a zone shows a local time. If clocks go back and show it twice, it is the one with the UTC offset
 * of `like`, else the first. A time in a gap is moved forward by the length of the gap.
 */
export function instantOf(zone: string, wall: number, like = Number.NaN): number {
  const offsetAt = (instant: number): number => wallClockAt(zone, instant) - instant;
  const [before, after] = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near));
  const instants = [before!, after!].filter((instant) => wallClockAt(zone, instant) === wall);
  const offset = Number.isNaN(like) ? undefined : offsetAt(like);
  return instants.find((instant) => offsetAt(instant) === offset) ?? instants[0] ?? before!;
}

/** A format of a zone, in British English. Making one takes long, so it is kept. */
export function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
  formats.set(key, format);
  return format;
}
