import { setImmediate } from 'node:timers/promises';
import { isLong, termsByPart, termsOf } from './fold.js';

/** Only the first characters of a body are searched. Each word takes the database as long as a short post. */
export const SEARCHED_CHARACTERS = 1_048_576;

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

  /** The distinct terms of a long post, in the order of their first occurrence. */
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
  for (const part of termsByPart(searchedPart(body))) {
    for (const term of part) terms.add(term);
    await setImmediate();
  }
  return [...terms];
}

/** The first {@link SEARCHED_CHARACTERS} code points. */
function searchedPart(body: string): string {
  let end = 0;
  for (let characters = 0; characters < SEARCHED_CHARACTERS && end < body.length; characters++)
    end += body.codePointAt(end)! > 0xffff ? 2 : 1;
  return body.slice(0, end);
}
