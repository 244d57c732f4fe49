/**
 * Characters that do not change a word: accents, the points of Hebrew, Arabic and Syriac, the Arabic elongation, skin tones,
 * joiners and direction marks. Marks of all other scripts are letters (vowel signs of Indic scripts and of Thai), and so
 * are the two of Japanese, which Unicode counts among the accents. U+200B separates words.
 */
const MARKS =
  /(?![\u3099\u309a])(?=\p{M})[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}]|[\p{Emoji_Modifier}\u0640]|(?!\u200b)\p{Cf}/gu;

/** Letters with a stroke, which Unicode does not decompose. */
const STROKES: Readonly<Record<string, string>> = { đ: 'd', ħ: 'h', ł: 'l', ø: 'o', ŧ: 't', ς: 'σ' };

// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Marks that may follow a letter without an end: `normalize` sorts a run of n of them in n² steps. (Two of them, of half
 * width, are no marks before they are decomposed.)
 */
const MANY_MARKS = /[\p{M}\uff9e\uff9f]{30}/gu;
/** Ends a run, as in the Stream-Safe Text Format of UAX #15 §13. It is one of {@link MARKS}, which are removed. */
const RUN_END = '\u034f';

/**
 * Removes the differences between letters that read the same: compatibility forms, marks and case. Folding a folded
 * text does not change it.
 */
export function fold(text: string): string {
  return (
    text
      .replaceAll(MANY_MARKS, `$&${RUN_END}`)
      .normalize('NFKD')
      .replaceAll(MARKS, '')
      // The upper case turns ß into ss. The lower case before it turns ẞ into ß.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .replaceAll(/[đħłøŧς]/g, (letter) => STROKES[letter]!)
      .replaceAll(MANY_MARKS, `$&${RUN_END}`)
      // Recomposes the syllables of Hangul, which NFKD has decomposed.
      .normalize('NFKC')
      .replaceAll(MARKS, '')
  );
}

export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}
