import { setImmediate } from 'node:timers/promises';
import { isLong, termsByPart, termsOf } from './fold.js';

/**
 * The maximum total length of a post's indexed terms, in UTF-16 units: some 250,000 distinct words. Each word takes the
 * database as long as a short post, and on SQLite all other writes wait meanwhile.
 */
export const MAX_INDEXED_LENGTH = 2 * 1_024 * 1_024;

interface LongText {
  readonly title: string;
  readonly body: string;
  readonly terms: readonly string[];
}

/** The distinct terms of posts. The terms of a long post are extracted in parts, before they are needed. */
export class LongTexts {
  readonly #kept = new Set<LongText>();

  /** The distinct terms of a short post. */
  termsOf(title: string, body: string): readonly string[] {
    return [...new Set(termsOf(title).concat(termsOf(body)))];
  }

  /** The distinct terms of a long post, in the order of their first occurrence, up to {@link MAX_INDEXED_LENGTH}. */
  async termsInTime(title: string, body: string): Promise<readonly string[]> {
    for (const text of this.#kept) if (text.body === body && text.title === title) return text.terms;
    return termsInTime(title, body);
  }

  /** Extracts the terms of the long posts, and keeps them for {@link termsInTime} while the work runs. */
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
