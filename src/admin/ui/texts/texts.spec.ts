import { isolated, plural, quoted } from './texts.js';

describe('plural', () => {
  it.each([
    [0, 'posts'],
    [1, 'post'],
    [2, 'posts'],
  ])('uses the form for %d', (count, text) => {
    expect(plural(count, 'post', 'posts')).toBe(text);
  });
});

describe('isolated', () => {
  it.each([
    ['Grüße 😀', 'Grüße 😀'],
    ['שלום', '\u2068שלום\u2069'],
    ['abc \u202Edef', '\u2068abc \u202Edef\u2069'],
  ])('keeps the direction of %j from the text around it', (text, shown) => {
    expect(isolated(text)).toBe(shown);
    expect(quoted(text)).toBe(`“${shown}”`);
  });
});
