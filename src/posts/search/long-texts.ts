import { setImmediate } from 'node:timers/promises';
import { termsByPart, termsOf } from './fold.js';
import { isLong } from './text-parts.js';

interface LongText {
  readonly title: string;
  readonly body: string;
  readonly terms: readonly string[];
}

/** The different words of texts. Those of a long one are looked for a part at a time, before they are needed. */
export class LongTexts {
  readonly #kept = new Set<LongText>();

  /** The different terms of a post. */
  termsOf(title: string, body: string): readonly string[] {
    for (const text of this.#kept) if (text.body === body && text.title === title) return text.terms;
    return [...new Set(termsOf(title).concat(termsOf(body)))];
  }

  /** Does the work while {@link termsOf} knows the terms of those posts already that are long. */
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
  for (const part of termsByPart(body)) {
    for (const term of part) terms.add(term);
    await setImmediate();
  }
  return [...terms];
}
