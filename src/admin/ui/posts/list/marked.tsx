import { Fragment, type ReactNode } from 'react';
import { fold } from '../../../../posts/folded-text.js';

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

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns where a text contains words of the search. The last word may be a prefix. Case and accents do not matter. */
export function matchesOf(text: string, search: string): [from: number, to: number][] {
  const words = (search.match(WORDS) ?? []).map(fold);
  const last = words.at(-1);
  if (last === undefined) return [];
  return Array.from(text.matchAll(WORDS)).flatMap(({ 0: word, index }) => {
    const folded = fold(word);
    const isFound = words.includes(folded) || folded.startsWith(last);
    return isFound ? [[index, index + word.length] as [number, number]] : [];
  });
}
