import { Remembered } from '../api/remembered.js';
import { useObservable } from '../api/observable.js';
import { formatOf } from './clocks.js';

const BROWSER_ZONE = new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone;

/** The time zone of all times that the site shows and accepts. The default is the browser's zone. */
export const timeZone = new Remembered('time-zone', BROWSER_ZONE, (zone) => timeZones().includes(zone));

export function useTimeZone(): string {
  return useObservable(timeZone);
}

/** Whether the browser knows a time zone by this name, which may come from another browser. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name, {});
    return true;
  } catch {
    return false;
  }
}

/** Lists the available zones: UTC, the browser's zone, and every zone that the browser knows. */
export function timeZones(): string[] {
  return [...new Set(['UTC', BROWSER_ZONE, ...Intl.supportedValuesOf('timeZone')])];
}
