import { isAscii } from '../posts/folded-text.js';
import { gramsOf, limit, piecesOf, termsOf } from './fold.js';

/** The terms of a search. A text matches when it contains all of them. */
export interface SearchTerms {
  readonly whole: readonly string[];
  /** Prefixes of terms. */
  readonly beginnings: readonly string[];
}

/**
 * Parses a search text. All words must occur, and the last one may be a prefix. There are no operators. Returns
 * undefined when the text has no words; such a search finds nothing.
 */
export function parseSearch(text: string): SearchTerms | undefined {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  const pieces = piecesOf(text);
  for (const [index, { text: piece, isRun }] of pieces.entries()) {
    if (isRun) {
      const grams = gramsOf(piece);
      beginnings.add(grams.pop()!);
      for (const gram of grams) whole.add(gram);
    } else if (index === pieces.length - 1) {
      beginnings.add(limit(piece));
    } else {
      whole.add(limit(piece));
    }
  }
  return pieces.length === 0 ? undefined : { whole: [...whole], beginnings: [...beginnings] };
}

/** Whether the post matches, with the same result as the index. */
export function matches(search: SearchTerms, title: string, body: string): boolean {
  if (isAscii(title) && isAscii(body)) return asciiMatches(search, `${title} ${body}`.toLowerCase());
  const terms = new Set(termsOf(title).concat(termsOf(body)));
  return (
    search.whole.every((term) => terms.has(term)) &&
    search.beginnings.every(
      (beginning) => terms.has(beginning) || [...terms].some((term) => term.startsWith(beginning)),
    )
  );
}

/** Most texts are ASCII: searching the text itself is twenty times faster than extracting its terms. */
function asciiMatches({ whole, beginnings }: SearchTerms, text: string): boolean {
  return (
    whole.every((term) => hasWord(text, term, limit(`${term}x`) === term)) &&
    beginnings.every((term) => hasWord(text, term, true))
  );
}

/** The word comes first in the pattern, because an engine finds a fixed text fastest. It has only letters and digits. */
function hasWord(text: string, word: string, mayGoOn: boolean): boolean {
  return new RegExp(`${word}(?<![a-z0-9]${word})${mayGoOn ? '' : '(?![a-z0-9])'}`).test(text);
}
