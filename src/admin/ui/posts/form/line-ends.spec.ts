import * as fc from 'fast-check';
import { checkProperty } from '../../../../../test/support/properties.js';
import { afterEdit, inTextArea } from './line-ends.js';

describe('a body in a text area', () => {
  it.each([
    ['a word', 'one\r\ntwo\r\n', 'one\nTWO\n', 'one\r\nTWO\r\n'],
    ['a new line', 'one\r\ntwo', 'one\nand\ntwo', 'one\r\nand\r\ntwo'],
    ['a line taken out', 'one\r\ntwo\r\nthree', 'one\nthree', 'one\r\nthree'],
    ['line ends of several kinds', 'a\rb\r\nc\nd', 'a\nb\nc\nD', 'a\rb\r\nc\nD'],
    ['what stood between CR and LF', 'a\rb\nc', 'a\n\nc', 'a\r\n\nc'],
    ['everything', 'one\r\ntwo', 'x\ny', 'x\r\ny'],
    ['nothing but LF', 'one\ntwo', 'one\n\ntwo', 'one\n\ntwo'],
  ])('keeps its line ends through a change of %s', (_, before, edited, after) => {
    expect(afterEdit(before, edited)).toBe(after);
  });

  it('keeps line ends when the edit changes nothing, and always shows the edit', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀') });
    await checkProperty(
      fc.property(text, text, (before, after) => {
        expect(afterEdit(before, inTextArea(before))).toBe(before);
        expect(inTextArea(afterEdit(before, inTextArea(after)))).toBe(inTextArea(after));
      }),
    );
  });
});
