/**
 * Scripts that are written without spaces between words (and Korean, whose particles cling to them), and pictures. In
 * them a word must be found inside of what is written around it.
 */
const RUN = String.raw`(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{Extended_Pictographic}\p{Regional_Indicator}])`;
/**
 * A part of a run, or of a word, which ends where a run begins. The length is bounded because the stack of a pattern is:
 * V8 keeps each repetition on it, and a text may be one word of 64 MiB.
 */
const PARTS = new RegExp(String.raw`(${RUN}{1,500})|(?:(?!${RUN})[\p{L}\p{N}]){1,500}`, 'gu');

/**
 * What changes nothing of the word that it stands in: accents, vowel points, the Arabic elongation, skin tones, joiners
 * and marks of direction. U+200B is not among them: it separates words.
 */
const MARKS = /[\p{M}\p{Emoji_Modifier}\u0640]|(?!\u200b)\p{Cf}/gu;

/** Letters that carry a stroke, which Unicode does not take for a mark. */
const STROKES: Readonly<Record<string, string>> = { đ: 'd', ħ: 'h', ł: 'l', ø: 'o', ŧ: 't', ς: 'σ' };

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const BEYOND_ASCII = /[^\0-\x7f]/;

/** What is longer is told apart by its beginning only; PostgreSQL has no terms of more than 2046 bytes. */
const MAX_TERM_CODE_POINTS = 255;

/** A word, or a run of a script that has no spaces. */
export interface Piece {
  readonly text: string;
  readonly isRun: boolean;
}

/**
 * Which terms the two databases index for a text: one for each word, and one for each character of a run, which goes on
 * for as long as {@link GRAM} characters, so that a prefix of it is a word at that place.
 *
 * Whatever changes what this function gives must change {@link TERMS_VERSION}.
 */
export function termsOf(text: string): string[] {
  if (!isLong(text)) return termsOfPart(text);
  const terms: string[] = [];
  for (const part of termsByPart(text)) for (const term of part) terms.push(term);
  return terms;
}

/** The terms of a long text, part by part, each of which takes some milliseconds. */
export function* termsByPart(text: string): Generator<readonly string[]> {
  for (const part of partsOf(text)) yield termsOfPart(part);
}

function termsOfPart(text: string): string[] {
  // Most texts, and ten times faster.
  if (isAscii(text)) return asciiWords(text.toLowerCase()).map(limit);
  return piecesOf(text).flatMap(({ text: piece, isRun }) =>
    isRun ? grams(Array.from(piece)) : [limit(piece)],
  );
}

/** Names the terms that {@link termsOf} gives; a newer Unicode knows more letters. */
export const TERMS_VERSION = `2 (Unicode ${process.versions.unicode})`;

/** The words of a text, folded: what has the same pieces reads the same. */
export function piecesOf(text: string): Piece[] {
  const pieces: { text: string; isRun: boolean }[] = [];
  let end = -1;
  for (const { 0: part, 1: run, index } of fold(text).matchAll(PARTS)) {
    const isRun = run !== undefined;
    const last = pieces.at(-1);
    // A part that begins where one of its kind ends goes on with it.
    if (last && index === end && last.isRun === isRun) last.text += part;
    else pieces.push({ text: part, isRun });
    end = index + part.length;
  }
  return pieces;
}

/** The pieces of a run that all occur where the run does; the last one may be the beginning of what stands there. */
export function gramsOf(run: string): string[] {
  const chars = Array.from(run);
  return chars.length <= GRAM ? [run] : grams(chars).slice(0, chars.length - GRAM + 1);
}

/** A term as it is indexed. */
export function limit(word: string): string {
  if (word.length <= MAX_TERM_CODE_POINTS) return word;
  return Array.from(word.slice(0, 2 * MAX_TERM_CODE_POINTS))
    .slice(0, MAX_TERM_CODE_POINTS)
    .join('');
}

/**
 * Leaves out what readers take for the same letter: compatibility forms, marks, case. It is the same for a folded text.
 */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replaceAll(MARKS, '')
      // By way of the upper case, ß is ss; but ẞ has to be ß before that.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[đħłøŧς]/g, (letter) => STROKES[letter]!)
      // What fell apart and is no mark is put together again: the syllables of Hangul.
      .normalize('NFKC')
      .replaceAll(MARKS, '')
  );
}

export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** Of a text in lower case; outside of it there is none. */
export function isOfAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function grams(chars: readonly string[]): string[] {
  return chars.map((_, index) => chars.slice(index, index + GRAM).join(''));
}

/** The words of a text in lower case. A pattern would need a stack as long as the longest of them. */
function asciiWords(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    if (isOfAsciiWord(text.charCodeAt(at))) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      words.push(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) words.push(text.slice(start));
  return words;
}

/** A word of a run that is not longer is found exactly; of a longer one, all pieces of this length are. */
const GRAM = 4;

/** In UTF-16 units: what is folded in some milliseconds, whatever the script. */
const PART_LENGTH = 8_192;
/** A text that gives no place to cut it for so long is cut anywhere between two characters. */
const MAX_PART_LENGTH = 262_144;
/** The same where it is not ASCII: to fold it takes 100 times as long, and more than that for marks without letters. */
const MAX_FOLDED_LENGTH = 16_384;

/** Tells whether a text has more than one part. */
export function isLong(text: string): boolean {
  return text.length > PART_LENGTH;
}

/**
 * Cuts a long text where no word of it is cut: behind what separates words, or within a run of Han, Kana or Hangul, of
 * which the next part repeats as much as makes each of its pieces whole in one of them.
 */
export function* partsOf(text: string): Generator<string> {
  let start = 0;
  for (let at = PART_LENGTH; at < text.length; at++) {
    let next = -1;
    if (isSeparator(text.charCodeAt(at - 1))) next = at;
    else if (isInRun(text, at)) next = at - GRAM + 1;
    else if (at - start >= MAX_FOLDED_LENGTH && mayCut(text.charCodeAt(at), at - start)) next = at;
    if (next < 0) continue;
    yield text.slice(start, at);
    start = next;
    at = start + PART_LENGTH - 1;
  }
  yield text.slice(start);
}

/** ASCII but for letters and digits, and the punctuation of East Asia: neither of them ever joins its neighbours. */
function isSeparator(code: number): boolean {
  if (code >= 0x80)
    return (code >= 0x3000 && code <= 0x3002) || code === 0xff0c || code === 0xff01 || code === 0xff1f;
  const lower = code | 0x20;
  return !((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39));
}

/** Whether what stands around the place are characters of runs that fold each for itself. */
function isInRun(text: string, at: number): boolean {
  for (let index = at - GRAM; index <= at; index++) if (!isOfRun(text.charCodeAt(index))) return false;
  return true;
}

function isOfRun(code: number): boolean {
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

/** Whether a part that has become too long may end before this character. */
function mayCut(code: number, length: number): boolean {
  return (code >= 0x80 || length >= MAX_PART_LENGTH) && !isLowSurrogate(code);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
