import { excerptOf } from './overview.service.js';

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
