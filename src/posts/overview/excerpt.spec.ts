import { matchesOf } from './matches.js';
import { excerptOf } from './overview.service.js';

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

describe('excerptOf', () => {
  it.each([
    ['', ''],
    [' \r\n\t ', ''],
    ['one line', 'one line'],
    ['\n  two\r\n\r\n\tlines\u2003here  ', 'two lines here'],
    ['x'.repeat(300), 'x'.repeat(200)],
    ['😀'.repeat(300), '😀'.repeat(200)],
    [`${'x'.repeat(199)}😀😀`, `${'x'.repeat(199)}😀`],
  ])('of %j is %j', (text, excerpt) => {
    expect(excerptOf(text)).toBe(excerpt);
  });

  it.each([
    ['near the beginning', 'a river', 'RIVER', 'a river'],
    ['far from it', `${'word '.repeat(100)}a Rivér bank`, 'river', `… ${'word '.repeat(11)}a Rivér bank`],
    ['after a long word', `${'x'.repeat(300)}-river`, 'river', '… river'],
    ['nowhere', 'y'.repeat(300), 'river', 'y'.repeat(200)],
  ])('moves to a match %s', (_, text, search, excerpt) => {
    expect(excerptOf(text, search)).toBe(excerpt);
  });
});
