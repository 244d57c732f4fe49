import { setImmediate } from 'node:timers/promises';
import type { Client } from '../limits/index.js';
import { SharedTime } from '../turns/index.js';
import { fold, isAscii } from '../posts/folded-text.js';
import type { Post } from '../posts/post.entity.js';

/**
 * Characters of scripts without spaces between words (and of Korean, which attaches particles to words), and
 * pictographs. A search must find a word inside a run of them.
 */
const RUN = String.raw`(?:(?=[\p{L}\p{N}\p{M}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{Extended_Pictographic}\p{Regional_Indicator}])`;
/** A run, or a word, which ends where a run begins. */
const PIECES = new RegExp(String.raw`(${RUN}+)|(?:(?!${RUN})[\p{L}\p{N}\p{M}])+`, 'gu');

/** Longer terms are cut off. PostgreSQL's limit for a term is 2046 bytes. */
const MAX_TERM_CODE_POINTS = 255;

/** The start of each word, up to the length of a term. */
const ASCII_TERMS = new RegExp(`(?<![a-z0-9])[a-z0-9]{1,${MAX_TERM_CODE_POINTS}}`, 'g');

/** A word, or a run of a script that has no spaces. */
export interface Piece {
  readonly text: string;
  readonly isRun: boolean;
}

/**
 * Returns the terms that the databases index for a text: one per word, and one per character of a run. The term of a
 * character is that character and the ones after it, {@link GRAM} at most, so that a word in a run is a prefix of a
 * term.
 *
 * A change of the returned terms requires a change of {@link TERMS_VERSION}.
 */
export function termsOf(text: string): string[] {
  return Array.from(partsOf(text), termsOfPart).flat();
}

/** Takes some milliseconds for a part of a long text. */
function termsOfPart(text: string): string[] {
  // Most texts are ASCII, and this is ten times faster.
  if (isAscii(text)) return text.toLowerCase().match(ASCII_TERMS) ?? [];
  return piecesOf(text).flatMap(({ text: piece, isRun }) =>
    isRun ? grams(Array.from(piece)) : [limit(piece)],
  );
}

/** The version of the terms from {@link termsOf}. It includes Unicode's version: a newer Unicode has more letters. */
export const TERMS_VERSION = `5 (Unicode ${process.versions.unicode})`;

/** The folded words and runs of a text. Texts that read the same have the same pieces. */
export function piecesOf(text: string): Piece[] {
  return Array.from(fold(text).matchAll(PIECES), ([piece, run]) => ({
    text: piece,
    isRun: run !== undefined,
  }));
}

/** The pieces of a run for a search. They all occur where the run does; the last one may be a prefix there. */
export function gramsOf(run: string): string[] {
  const chars = Array.from(run);
  return chars.length <= GRAM ? [run] : grams(chars).slice(0, chars.length - GRAM + 1);
}

/** Cuts a term to the indexed length. */
export function limit(word: string): string {
  if (word.length <= MAX_TERM_CODE_POINTS) return word;
  return Array.from(word.slice(0, 2 * MAX_TERM_CODE_POINTS))
    .slice(0, MAX_TERM_CODE_POINTS)
    .join('');
}

function grams(chars: readonly string[]): string[] {
  return chars.map((_, index) => chars.slice(index, index + GRAM).join(''));
}

/** Words up to this length in a run are found exactly. For a longer word, all its pieces of this length must occur. */
const GRAM = 4;

/** In UTF-16 units: folding this much takes some milliseconds in any script. */
const PART_LENGTH = 8_192;
/** The same where characters are decomposed into up to 18 others, such as U+FDFA. */
const PART_LENGTH_OF_LIGATURES = 512;
/** Squared words, and Arabic ligatures. */
const LIGATURES = /[\u3300-\u33ff\ufb50-\ufdff]/;

/** ASCII without letters and digits, and East Asian punctuation. Folding never joins them with their neighbours. */
const SEPARATOR = /[\t\n\r -/:-@[-`{-~\u3000-\u3002\uff01\uff0c\uff1f]/;

/** Whether a text of a few thousand characters takes more than some milliseconds. */
export function isSlowToFold(text: string): boolean {
  return text.length > 2 * PART_LENGTH_OF_LIGATURES && LIGATURES.test(text);
}

/** Cuts a long text after a separator. A word that is longer than two parts is cut, too. */
export function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const hasLigatures = LIGATURES.test(text.slice(start, start + PART_LENGTH));
    const end = endOfPart(text, start, hasLigatures ? PART_LENGTH_OF_LIGATURES : PART_LENGTH);
    yield text.slice(start, end);
    start = end;
  }
}

function endOfPart(text: string, start: number, length: number): number {
  let end = start + length;
  while (end < start + 2 * length && end < text.length && !SEPARATOR.test(text[end - 1]!)) end += 1;
  // Not within a surrogate pair.
  return /[\udc00-\udfff]/.test(text[end] ?? '') ? end + 1 : end;
}

/**
 * The time for all folding: of posts that are stored, imported or indexed again, and of those that a search checks. Requests
 * that arrive together would otherwise hold the event loop together.
 */
const FOLDING = new SharedTime(5);
/** Does a piece of work that folds a text, for a client, when there is time for it. @throws what the work throws */
export function whenTimeToFold<Result>(work: () => Result, client?: string): Promise<Result> {
  return FOLDING.run(work, client);
}

/** Only the first characters of a body are searched. Each word takes the database as long as a short post. */
const SEARCHED_CHARACTERS = 1_048_576;

/**
 * The distinct terms of a post, separated by spaces, in texts of at most this many UTF-16 units; before several texts is
 * an empty one. Other work runs between the parts of a long body.
 *
 * @throws the reason of the client's signal when it disconnects before a long body is done
 */
export async function wordsOfPost(
  { title, body }: Pick<Post, 'title' | 'body'>,
  maxLength: number,
  client?: Client,
): Promise<readonly string[]> {
  const text = `${title}\n${body.length > SEARCHED_CHARACTERS ? searchedPart(body) : body}`;
  // Most posts need no turn: they take microseconds, and an import has thousands of them.
  if (text.length <= PART_LENGTH && isAscii(text))
    return split([...new Set(termsOfPart(text))].join(' '), maxLength);
  const isLong = text.length > PART_LENGTH || isSlowToFold(text);
  const signal = isLong ? client?.signal : undefined;
  const termsInTime = (part: string): string[] => {
    signal?.throwIfAborted();
    return termsOfPart(part);
  };
  const terms = new Set<string>();
  for (const part of isLong ? partsOf(text) : [text]) {
    for (const term of await whenTimeToFold(() => termsInTime(part), client?.name)) terms.add(term);
    if (isLong) await setImmediate();
  }
  return split([...terms].join(' '), maxLength);
}

/** Divides words into texts of at most this length, with an empty one before several. */
function split(words: string, maxLength: number): readonly string[] {
  const texts: string[] = [];
  let start = 0;
  while (words.length - start > maxLength) {
    const end = words.lastIndexOf(' ', start + maxLength);
    texts.push(words.slice(start, end));
    start = end + 1;
  }
  texts.push(words.slice(start));
  return texts.length === 1 ? texts : ['', ...texts];
}

/** The first {@link SEARCHED_CHARACTERS} code points. */
function searchedPart(body: string): string {
  let end = 0;
  for (let characters = 0; characters < SEARCHED_CHARACTERS && end < body.length; characters++)
    end += body.codePointAt(end)! > 0xffff ? 2 : 1;
  return body.slice(0, end);
}
