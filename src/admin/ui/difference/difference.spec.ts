import { constantFrom, property, string } from 'fast-check';
import { checkProperty } from '../../../../test/support/properties.js';
import { differenceOf } from './difference.js';

const SIGNS = { same: ' ', removed: '-', added: '+' };

/** As `diff -u` shows it, marks in brackets. */
function shown(before: string, after: string): string[] {
  return differenceOf(before, after).rows.map((row) => {
    if ('skipped' in row) return `@ ${row.skipped}`;
    const text = row.parts.map((part) => (part.isMarked ? `[${part.text}]` : part.text)).join('');
    return SIGNS[row.kind] + text + (row.lacksEnd ? ' (no line end)' : '');
  });
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}\n`);

describe('differenceOf', () => {
  it.each([
    ['the words that differ', 'A quick fox\nb\n', 'A red fox\nb\n', ['-A [quick] fox', '+A [red] fox', ' b']],
    ['whole characters', '😀😁 fox', '😀😂 fox', ['-😀[😁] fox', '+😀[😂] fox']],
    ['a new text', '', 'a\nb', ['+a', '+b']],
    ['a removed text', 'a\nb\n', '', ['-a', '-b']],
    ['added blank lines', 'a\nb', 'a\n\n\nb', [' a', '+', '+', ' b']],
    ['no words of lines that differ', 'Other words\n', 'None of it\n', ['-Other words', '+None of it']],
    ['that LF became CRLF', 'one two\nb\n', 'one two\r\nb\n', ['-one two[␊]', '+one two[␍␊]', ' b']],
    ['that the last line lost its end', 'one two\n', 'one two', ['-one two', '+one two (no line end)']],
    [
      'once that a line end is missing',
      'one\ntwo\nthree\n',
      'One\nTwo\nThree',
      ['-one', '-two', '-three', '+One', '+Two', '+Three (no line end)'],
    ],
    ['no missing line end that both lack', 'one', 'two', ['-one', '+two']],
  ])('shows %s', (_, before, after, lines) => {
    expect(shown(before, after)).toEqual(lines);
  });

  it('shows changes with surrounding lines, and counts the skipped lines', () => {
    const before = numbered(40);
    const after = before.with(10, 'ten\n').with(13, 'thirteen\n').with(30, 'thirty\n');
    const lines = shown(before.join(''), after.join('')).map((line) => line.replace('line ', ''));
    expect(lines.join()).toBe(
      '@ 7, 7, 8, 9,-10,+ten, 11, 12,-13,+thirteen, 14, 15, 16,@ 10, 27, 28, 29,-30,+thirty, 31, 32, 33,@ 6',
    );
  });

  it('shortens long lines around what changed', () => {
    const line = (word: string): string => `${'a '.repeat(50_000)}${word}${' b'.repeat(50_000)}`;
    const [removed, added] = shown(line('x'), line('y'));
    const [a, b] = ['a '.repeat(1_000), ' b'.repeat(1_000)];
    expect(removed).toBe(`-${a} … ${a}[x]${b} … ${b}`);
    expect(added).toBe(removed!.replace('-', '+').replace('[x]', '[y]'));
  });

  it('shows at most 1,000 changed lines of both sides, and counts the rest', () => {
    const { rows, ...counts } = differenceOf('', numbered(5_000).join(''));
    expect(rows).toHaveLength(1_000);
    expect(counts).toEqual({ removed: 0, added: 5_000, leftOut: 4_000 });
    const text = numbered(3_000).join('');
    const both = differenceOf(text, text.replaceAll('line', 'row'));
    expect(both).toMatchObject({ removed: 3_000, added: 3_000, leftOut: 5_000 });
    expect(both.rows.filter((row) => 'kind' in row && row.kind === 'removed')).toHaveLength(500);
  });

  it('shows the lines of both texts, and a change exactly when they differ', async () => {
    const text = string({ unit: constantFrom('a', 'b ', '\n', '\r\n', '😀', '\r'), maxLength: 40 });
    await checkProperty(
      property(text, text, (before, after) => {
        const { rows, removed, added } = differenceOf(before, after);
        const isShort = rows.every((row) => 'kind' in row);
        const side = (other: 'removed' | 'added'): string[] =>
          rows.flatMap((row) =>
            'kind' in row && row.kind !== other
              ? [row.parts.map(({ text: shownText }) => shownText).join('')]
              : [],
          );
        const bare = (lines: string[]): string[] => lines.map((line) => line.replaceAll(/[␍␊]/g, ''));
        expect(rows.length === 0).toBe(before === after);
        expect(removed + added > 0).toBe(before !== after);
        if (!isShort) return;
        expect(bare(side('added'))).toEqual(before.split(/\r\n|\r|\n/).slice(0, side('added').length));
        expect(bare(side('removed'))).toEqual(after.split(/\r\n|\r|\n/).slice(0, side('removed').length));
      }),
    );
  });
});
