import { countWords, directionOf } from './words.js';

describe('countWords', () => {
  it.each([
    ['', 0],
    [' \n— ', 0],
    ['One two\nthree, four.', 4],
    ["It’s John's 2nd", 3],
    ['Grüße e\u0301te\u0301 नमस्ते', 3],
    ['日本語 ok', 4],
    ['a-b', 2],
  ])('of %j is %i', (text, words) => {
    expect(countWords(text)).toBe(words);
  });
});

describe('directionOf', () => {
  it.each([
    ['', 'ltr'],
    ['123 abc שלום', 'ltr'],
    ['“123” שלום abc', 'rtl'],
    ['مرحبا', 'rtl'],
  ])('of %j is %s', (text, direction) => {
    expect(directionOf(text)).toBe(direction);
  });
});
