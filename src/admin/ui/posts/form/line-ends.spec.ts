import * as fc from 'fast-check';
import { checkProperty } from '../../../../../test/support/properties.js';
import { afterEdit, inTextArea } from './line-ends.js';

describe('a body in a text area', () => {
  it.each([
    ['a changed word', 'one\r\ntwo\r\n', 'one\nTWO\n', 'one\r\nTWO\r\n'],
    ['an added line', 'one\r\ntwo', 'one\nand\ntwo', 'one\r\nand\r\ntwo'],
    ['a removed line', 'one\r\ntwo\r\nthree', 'one\nthree', 'one\r\nthree'],
    ['mixed line ends', 'a\rb\r\nc\nd', 'a\nb\nc\nD', 'a\rb\r\nc\nD'],
    ['text removed between CR and LF', 'a\rb\nc', 'a\n\nc', 'a\r\n\nc'],
    ['a replaced body', 'one\r\ntwo', 'x\ny', 'x\r\ny'],
    ['only LF', 'one\ntwo', 'one\n\ntwo', 'one\n\ntwo'],
  ])('keeps its line ends: %s', (_, before, edited, after) => {
    expect(afterEdit(before, edited)).toBe(after);
  });

  it('keeps all line ends of an unchanged body, and always shows the edited text', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '😀') });
    await checkProperty(
      fc.property(text, text, (before, after) => {
        expect(afterEdit(before, inTextArea(before))).toBe(before);
        expect(inTextArea(afterEdit(before, inTextArea(after)))).toBe(inTextArea(after));
      }),
    );
  });
});
