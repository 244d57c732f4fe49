import type { ReactNode } from 'react';
import { exactText, momentText } from './dates.js';
import { useTimeZone } from './time-zone.js';

/** A moment in the time zone that was chosen; the pointer over it shows it with all of its digits. */
export function Moment({ at }: { at: string }): ReactNode {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={exactText(at, zone)}>
      {momentText(at, zone)}
    </time>
  );
}
