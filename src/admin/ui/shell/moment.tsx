import type { ReactNode } from 'react';

const SHORT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** A moment in the time of who looks at it; the pointer over it shows it with its zone. */
export function Moment({ at }: { at: string }): ReactNode {
  return (
    <time dateTime={at} title={`${FULL.format(new Date(at))} (${at})`}>
      {momentText(at)}
    </time>
  );
}

export function momentText(at: string): string {
  return SHORT.format(new Date(at));
}
