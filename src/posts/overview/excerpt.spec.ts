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
});
