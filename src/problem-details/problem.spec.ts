import { pointerTo, quote } from './problem.js';

describe('quote', () => {
  it.each([
    ['', ''],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(1_000_000), `${'x'.repeat(99)}…`],
    ['😀'.repeat(100), '😀'.repeat(100)],
    [`x${'😀'.repeat(101)}`, `x${'😀'.repeat(98)}…`],
  ])('shows at most 100 code points (case %#)', (sent, quoted) => {
    expect(quote(sent)).toBe(quoted);
  });
});

describe('pointerTo', () => {
  it('shortens a name before it escapes it', () => {
    expect(pointerTo('a/b~c')).toBe('/a~1b~0c');
    expect(pointerTo('/'.repeat(200))).toBe(`/${'~1'.repeat(99)}…`);
  });
});
