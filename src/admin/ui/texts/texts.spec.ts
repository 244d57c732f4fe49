import { isolated, quoted } from './texts.js';

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
