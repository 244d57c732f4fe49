import { Remembered } from '../api/remembered.js';
import { useObservable } from '../api/observable.js';

/** The time zone of all times that the site shows and accepts. The default is the browser's zone. */
export const timeZone = new Remembered(
  'time-zone',
  new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone,
  (zone) => knownZones().includes(zone),
);

export function useTimeZone(): string {
  return useObservable(timeZone);
}

/** Lists the available zones: UTC, the browser's zone, and every zone that the browser knows. */
export function timeZones(): string[] {
  return [...new Set(['UTC', timeZone.byDefault, ...knownZones()])];
}

function knownZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}
