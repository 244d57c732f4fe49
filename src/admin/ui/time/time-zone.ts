import { useSyncExternalStore } from 'react';
import { isTimeZone } from '../../../posts/overview/time-zone.js';
import { Remembered } from '../api/remembered.js';

/** The time zone of every time that the site shows and takes. It is the browser's own until another one is chosen. */
export const timeZone = new Remembered(
  'time-zone',
  new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone,
  isTimeZone,
);

export function useTimeZone(): string {
  return useSyncExternalStore(timeZone.subscribe, timeZone.get);
}

/** All that can be chosen: UTC, the browser's own, and every zone that the browser knows. */
export function timeZones(): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return [...new Set(['UTC', timeZone.byDefault, timeZone.get(), ...known])];
}
