/**
 * Characters of scripts without spaces between words (and of Korean, which attaches particles to words), and
 * pictographs. A search must find a word inside a run of them.
 */
const RUN = String.raw`(?:(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{Extended_Pictographic}\p{Regional_Indicator}])`;
/**
 * A part of a run, or of a word, which ends where a run begins. The length is limited because V8 keeps each repetition
 * of a pattern on a stack, and a text may be one word of 64 MiB.
 */
const PARTS = new RegExp(String.raw`(${RUN}{1,500})|(?:(?!${RUN})[\p{L}\p{N}]){1,500}`, 'gu');

/**
 * Characters that do not change a word: accents, vowel points, the Arabic elongation, skin tones, joiners and direction
 * marks. U+200B is not among them, because it separates words.
 */
const MARKS = /[\p{M}\p{Emoji_Modifier}\u0640]|(?!\u200b)\p{Cf}/gu;

/** Letters with a stroke, which Unicode does not decompose. */
const STROKES: Readonly<Record<string, string>> = { đ: 'd', ħ: 'h', ł: 'l', ø: 'o', ŧ: 't', ς: 'σ' };

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Longer terms are cut off. PostgreSQL's limit for a term is 2046 bytes. */
const MAX_TERM_CODE_POINTS = 255;

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
  if (!isLong(text)) return termsOfPart(text);
  const terms: string[] = [];
  for (const part of termsByPart(text)) for (const term of part) terms.push(term);
  return terms;
}

/** The terms of a long text, part by part. Each part takes some milliseconds. */
export function* termsByPart(text: string): Generator<readonly string[]> {
  for (const part of partsOf(text)) yield termsOfPart(part);
}

function termsOfPart(text: string): string[] {
  // Most texts are ASCII, and this is ten times faster.
  if (isAscii(text)) return asciiWords(text.toLowerCase()).map(limit);
  return piecesOf(text).flatMap(({ text: piece, isRun }) =>
    isRun ? grams(Array.from(piece)) : [limit(piece)],
  );
}

/**
 * The version of the terms from {@link termsOf}. It includes Unicode's version, because a newer Unicode has more
 * letters.
 */
export const TERMS_VERSION = `3 (Unicode ${process.versions.unicode})`;

/** The folded words and runs of a text. Texts that read the same have the same pieces. */
export function piecesOf(text: string): Piece[] {
  const pieces: { text: string; isRun: boolean }[] = [];
  let end = -1;
  for (const { 0: part, 1: run, index } of fold(text).matchAll(PARTS)) {
    const isRun = run !== undefined;
    const last = pieces.at(-1);
    // A part that starts where a part of the same kind ended continues it.
    if (last && index === end && last.isRun === isRun) last.text += part;
    else pieces.push({ text: part, isRun });
    end = index + part.length;
  }
  return pieces;
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

/**
 * Removes the differences between letters that read the same: compatibility forms, marks and case. Folding a folded
 * text does not change it.
 */
export function fold(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replaceAll(MARKS, '')
      // The upper case turns ß into ss. The lower case before it turns ẞ into ß.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[đħłøŧς]/g, (letter) => STROKES[letter]!)
      // Recomposes the syllables of Hangul, which NFKD has decomposed.
      .normalize('NFKC')
      .replaceAll(MARKS, '')
  );
}

export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** Whether a character of a lower-case ASCII text belongs to a word. NaN, the code beyond the text's ends, does not. */
export function isOfAsciiWord(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function grams(chars: readonly string[]): string[] {
  return chars.map((_, index) => chars.slice(index, index + GRAM).join(''));
}

/** The words of a lower-case text. A regular expression would need a stack as long as the longest word. */
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

/** Words up to this length in a run are found exactly. For a longer word, all its pieces of this length must occur. */
const GRAM = 4;

/** In UTF-16 units: folding this much takes some milliseconds in any script. */
const PART_LENGTH = 8_192;
/** A text without a safe place to cut is cut between any two characters after this length. */
const MAX_PART_LENGTH = 262_144;
/**
 * The same limit for other text than ASCII: folding it takes 100 times as long, and longer still for marks without
 * letters.
 */
const MAX_FOLDED_LENGTH = 16_384;

/** Whether a text has more than one part. */
export function isLong(text: string): boolean {
  return text.length > PART_LENGTH;
}

/**
 * Cuts a long text without cutting a word: after a separator, or within a run of Han, Kana or Hangul. In a run, the
 * next part repeats enough characters that each piece of the run is whole in one of the parts.
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

/** ASCII without letters and digits, and East Asian punctuation. Folding never joins them with their neighbours. */
function isSeparator(code: number): boolean {
  if (code >= 0x80)
    return (code >= 0x3000 && code <= 0x3002) || code === 0xff0c || code === 0xff01 || code === 0xff1f;
  const lower = code | 0x20;
  return !((lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39));
}

/** Whether the characters around the position belong to a run and fold independently of each other. */
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
