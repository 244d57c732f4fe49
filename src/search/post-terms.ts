import { setImmediate } from 'node:timers/promises';
import type { Post } from '../posts/post.entity.js';
import { partsOf, termsOfPart } from './fold.js';

/** Only the first characters of a body are searched. Each word takes the database as long as a short post. */
const SEARCHED_CHARACTERS = 1_048_576;

/** In UTF-16 units: the terms of a shorter body take no noticeable time. */
export const LONG_BODY = 8_192;

/** The distinct terms of a post. Other work runs between the parts of a long body. */
export async function termsOfPost({ title, body }: Pick<Post, 'title' | 'body'>): Promise<readonly string[]> {
  const terms = new Set(termsOfPart(title));
  for (const part of partsOf(searchedPart(body))) {
    for (const term of termsOfPart(part)) terms.add(term);
    if (body.length > LONG_BODY) await setImmediate();
  }
  return [...terms];
}

/** The first {@link SEARCHED_CHARACTERS} code points. */
function searchedPart(body: string): string {
  if (body.length <= SEARCHED_CHARACTERS) return body;
  let end = 0;
  for (let characters = 0; characters < SEARCHED_CHARACTERS && end < body.length; characters++)
    end += body.codePointAt(end)! > 0xffff ? 2 : 1;
  return body.slice(0, end);
}
