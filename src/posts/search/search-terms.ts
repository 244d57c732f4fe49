import { gramsOf, limit, piecesOf, termsOf } from './fold.js';

/** What a search asks for: a text matches when it has all of the terms. */
export interface SearchTerms {
  readonly whole: readonly string[];
  /** Terms that may go on. */
  readonly beginnings: readonly string[];
}

/**
 * Reads what a person types: all words must occur, the last one may be the beginning of one. Nothing in it has a meaning
 * of its own. Undefined when there is no word in it: then nothing is found.
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

/** Tells whether a post is found: the same as the index would tell. */
export function matches({ whole, beginnings }: SearchTerms, title: string, body: string): boolean {
  const terms = new Set(termsOf(title).concat(termsOf(body)));
  return (
    whole.every((term) => terms.has(term)) &&
    beginnings.every(
      (beginning) => terms.has(beginning) || [...terms].some((term) => term.startsWith(beginning)),
    )
  );
}
