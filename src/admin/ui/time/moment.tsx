import type { ReactNode } from 'react';
import { exactText, momentText } from './dates.js';
import { useTimeZone } from './time-zone.js';

/** A date and time in the chosen zone. The tooltip shows all digits. */
export function Moment({ at }: { at: string }): ReactNode {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={exactText(at, zone)}>
      {momentText(at, zone)}
    </time>
  );
}
