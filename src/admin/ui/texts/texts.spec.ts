import { isolated, matchesOf, quoted } from './texts.js';

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

const marked = (text: string, search: string): string[] =>
  matchesOf(text, search).map(([from, to]) => text.slice(from, to));

describe('matchesOf', () => {
  it.each([
    ['By the river, Rivers', 'RIVER', ['river', 'Rivers']],
    ['A river by rivers', 'river by', ['river', 'by']],
    ['Grüße aus Ödenburg', 'ODEN grusse', ['Grüße']],
    ['Grüße aus Ödenburg', 'grusse oden', ['Grüße', 'Ödenburg']],
    ['e\u0301te\u0301', 'ete', ['e\u0301te\u0301']],
    ['50 % & more', '%', []],
    ['anything', '', []],
  ])('in %j, for the search %j, finds %j', (text, search, words) => {
    expect(marked(text, search)).toEqual(words);
  });
});
