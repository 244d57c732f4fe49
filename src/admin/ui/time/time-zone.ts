import { isTimeZone } from './clocks.js';
import { Remembered } from '../api/remembered.js';
import { useObservable } from '../api/observable.js';

/** The time zone of all times that the site shows and accepts. The default is the browser's zone. */
export const timeZone = new Remembered(
  'time-zone',
  new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone,
  isTimeZone,
);

export function useTimeZone(): string {
  return useObservable(timeZone);
}

/** Lists the available zones: UTC, the browser's zone, and every zone that the browser knows. */
export function timeZones(): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', timeZone.byDefault, timeZone.get(), ...known])];
}
