import { setImmediate } from 'node:timers/promises';
import { isLong, termsByPart, termsOf } from './fold.js';

/**
 * How much of the terms of a post is indexed, in UTF-16 units: some 250,000 different words. Each takes the database as long
 * as a short post, and on SQLite all other writes wait for it.
 */
export const MAX_INDEXED_LENGTH = 2 * 1_024 * 1_024;

interface LongText {
  readonly title: string;
  readonly body: string;
  readonly terms: readonly string[];
}

/** The different words of texts. Those of a long one are looked for a part at a time, before they are needed. */
export class LongTexts {
  readonly #kept = new Set<LongText>();

  /** The different terms of a post that is short. */
  termsOf(title: string, body: string): readonly string[] {
    return [...new Set(termsOf(title).concat(termsOf(body)))];
  }

  /** The different terms of a post that is long, in the order in which they occur, up to {@link MAX_INDEXED_LENGTH}. */
  async termsInTime(title: string, body: string): Promise<readonly string[]> {
    for (const text of this.#kept) if (text.body === body && text.title === title) return text.terms;
    return termsInTime(title, body);
  }

  /** Does the work while {@link termsInTime} knows the terms of those posts already that are long. */
  async whileKept<Result>(
    posts: readonly { readonly title: string; readonly body: string }[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const long = posts.filter(({ body }) => isLong(body));
    if (long.length === 0) return work();
    const texts: LongText[] = [];
    try {
      for (const { title, body } of long) {
        const text = { title, body, terms: await termsInTime(title, body) };
        texts.push(text);
        this.#kept.add(text);
      }
      return await work();
    } finally {
      for (const text of texts) this.#kept.delete(text);
    }
  }
}

async function termsInTime(title: string, body: string): Promise<readonly string[]> {
  const terms = new Set(termsOf(title));
  let length = 0;
  for (const part of termsByPart(body)) {
    for (const term of part) {
      if (terms.has(term)) continue;
      length += term.length + 1;
      if (length > MAX_INDEXED_LENGTH) return [...terms];
      terms.add(term);
    }
    await setImmediate();
  }
  return [...terms];
}
