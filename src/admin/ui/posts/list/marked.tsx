import { Fragment, type ReactNode } from 'react';
import { matchesOf } from '../../texts/texts.js';

/** Shows a text with the matches of a search marked. */
export function Marked({ text, search }: { text: string; search: string }): ReactNode {
  const places = matchesOf(text, search);
  return (
    // A translator replaces text nodes, so those of another search have an element of their own.
    <span key={search + text}>
      {places.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(places[index - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)?.[1])}
    </span>
  );
}
