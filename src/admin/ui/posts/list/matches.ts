import { fold } from '../../../../posts/folded-text.js';

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
