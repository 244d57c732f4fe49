import { memo } from 'react';
import { exactText, momentText } from './dates.js';
import { useTimeZone } from './time-zone.js';

/** A date and time in the chosen zone. The tooltip shows all digits. (Hundreds of them render at a click.) */
export const Moment = memo(function Moment({ at }: { at: string }) {
  const zone = useTimeZone();
  return (
    <time dateTime={at} title={exactText(at, zone)}>
      {momentText(at, zone)}
    </time>
  );
});
