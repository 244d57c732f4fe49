import { Fragment, type ReactNode } from 'react';
import { matchesOf } from './matches.js';

/** A text with the words marked that a search has found. */
export function Marked({ text, search }: { text: string; search: string }): ReactNode {
  const places = matchesOf(text, search);
  if (places.length === 0) return text;
  return (
    <>
      {places.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(places[index - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)?.[1])}
    </>
  );
}
