/** A letter written from right to left begins the text, if no other letter comes before it. */
const FIRST_LETTER = /[\p{L}]/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** A longer beginning without a letter is not looked at. */
const BEGINNING = 10_000;

/** The direction of the first letter of a text. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [letter = ''] = FIRST_LETTER.exec(text.slice(0, BEGINNING)) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/** Scripts that do not separate words: each of their characters counts as one, as in word processors. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’][\p{L}\p{M}]+)*/gu;

/** The number of words of a text. */
export function countWords(text: string): number {
  let words = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) words += 1;
  return words;
}
