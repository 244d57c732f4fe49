import { constantFrom, property, string } from 'fast-check';
import { checkProperty } from '../../../../test/support/properties.js';
import { type Difference, type DifferenceBounds, differenceOf } from './difference.js';

const SIGNS = { same: ' ', removed: '-', added: '+' };

/** As `diff -u` shows it, marks in brackets. */
function shown(before: string, after: string, bounds: Partial<DifferenceBounds> = {}): string[] {
  const { groups, skippedAfter } = differenceOf(before, after, bounds);
  const rows = groups.flatMap(({ skippedBefore, lines }) => [
    ...(skippedBefore > 0 ? [`@ ${skippedBefore}`] : []),
    ...lines.map(({ kind, parts }) => {
      const text = parts.map((part) => {
        if ('leftOut' in part) return `<${part.leftOut}>`;
        return part.isMarked ? `[${part.text}]` : part.text;
      });
      return SIGNS[kind] + text.join('');
    }),
  ]);
  return skippedAfter > 0 ? [...rows, `@ ${skippedAfter}`] : rows;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}\n`);

describe('differenceOf', () => {
  it('is empty for equal texts', () => {
    const nothing: Difference = { groups: [], skippedAfter: 0, removed: 0, added: 0, leftOut: 0 };
    expect(differenceOf('', '')).toEqual(nothing);
    expect(differenceOf('a\r\nb', 'a\r\nb')).toEqual(nothing);
  });

  it('marks the words that differ within lines', () => {
    expect(shown('The quick brown fox\njumps over\n', 'The quick red fox\njumps over\n')).toEqual([
      '-The quick [brown] fox',
      '+The quick [red] fox',
      ' jumps over',
    ]);
  });

  it('marks no words in lines that have little in common', () => {
    expect(shown('Entirely other words here\n', 'Nothing of that is left\n')).toEqual([
      '-Entirely other words here',
      '+Nothing of that is left',
    ]);
  });

  it.each([
    ['a new text', '', 'a\nb', ['+a', '+b']],
    ['a removed text', 'a\nb\n', '', ['-a', '-b']],
    ['a line added in the middle', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['added blank lines', 'a\nb', 'a\n\n\nb', [' a', '+', '+', ' b']],
  ])('shows %s', (_, before, after, lines) => {
    expect(shown(before, after)).toEqual(lines);
  });

  it.each([
    ['LF became CRLF', 'one two\nthree\n', 'one two\r\nthree\n', ['-one two[␊]', '+one two[␍␊]', ' three']],
    ['the last line lost its end', 'one two\n', 'one two', ['-one two[␊]', '+one two']],
  ])('makes visible that %s', (_, before, after, lines) => {
    expect(shown(before, after)).toEqual(lines);
  });

  it('shows changes with surrounding lines, and counts the skipped lines', () => {
    const before = numbered(40);
    const after = before.with(10, 'ten\n').with(13, 'thirteen\n').with(30, 'thirty\n');
    expect(shown(before.join(''), after.join(''), { context: 2 })).toEqual([
      '@ 8',
      ' line 8',
      ' line 9',
      '-line 10',
      '+ten',
      ' line 11',
      ' line 12',
      '-line 13',
      '+thirteen',
      ' line 14',
      ' line 15',
      '@ 12',
      ' line 28',
      ' line 29',
      '-line 30',
      '+thirty',
      ' line 31',
      ' line 32',
      '@ 7',
    ]);
    expect(shown(before.join(''), after.join(''), { context: 0 })).toEqual([
      '@ 10',
      '-line 10',
      '+ten',
      '@ 2',
      '-line 13',
      '+thirteen',
      '@ 16',
      '-line 30',
      '+thirty',
      '@ 9',
    ]);
  });

  it('does not split a surrogate pair', () => {
    expect(shown('😀😁'.repeat(30), `${'😀😁'.repeat(29)}😀😂`)).toEqual([
      `-${'😀😁'.repeat(29)}😀[😁]`,
      `+${'😀😁'.repeat(29)}😀[😂]`,
    ]);
  });

  it('shortens long lines around what changed', () => {
    const [removed, added] = shown(
      `${'a '.repeat(50_000)}x${' b'.repeat(50_000)}`,
      `${'a '.repeat(50_000)}y${' b'.repeat(50_000)}`,
    );
    expect(removed).toBe(
      `-${'a '.repeat(100)}<99600>${'a '.repeat(100)}[x]${' b'.repeat(100)}<99600>${' b'.repeat(100)}`,
    );
    expect(added).toBe(removed!.replace('-', '+').replace('[x]', '[y]'));
  });

  it('shows at most the given number of lines, and counts the rest', () => {
    const { groups, ...counts } = differenceOf('', numbered(5_000).join(''), { lines: 10 });
    expect(groups[0]!.lines).toHaveLength(10);
    expect(counts).toEqual({ skippedAfter: 0, removed: 0, added: 5_000, leftOut: 4_990 });
    const both = differenceOf(numbered(300).join(''), numbered(300).join('').replaceAll('line', 'row'), {
      lines: 20,
    });
    expect(both).toMatchObject({ removed: 300, added: 300, leftOut: 580 });
    expect(both.groups[0]!.lines.filter(({ kind }) => kind === 'removed')).toHaveLength(10);
  });

  it('stops comparing large texts that have nothing in common after its time limit', () => {
    const text = (seed: number): string =>
      Array.from({ length: 200_000 }, (_, index) => `${(index * seed) % 999_983} words\n`).join('');
    const before = text(7_919);
    const after = text(104_729);
    const { removed, added, groups } = differenceOf(before, after, { timeoutMs: 50 });
    expect(removed).toBeGreaterThan(100_000);
    expect(added).toBeGreaterThan(100_000);
    expect(groups.flatMap(({ lines }) => lines).length).toBeLessThan(2_000);
  });

  it('shows the lines of both texts, and a change exactly when they differ', async () => {
    const text = string({ unit: constantFrom('a', 'b ', '\n', '\r\n', '😀', '\r') });
    await checkProperty(
      property(text, text, (before, after) => {
        const { groups, removed, added } = differenceOf(before, after, { context: 1_000 });
        const side = (other: 'removed' | 'added'): string[] =>
          groups
            .flatMap(({ lines }) => lines)
            .filter(({ kind }) => kind !== other)
            .map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));
        const bare = (lines: string[]): string[] => lines.map((line) => line.replaceAll(/[␍␊]/g, ''));
        expect(groups.length === 0).toBe(before === after);
        expect(bare(side('added'))).toEqual(before.split(/\r\n|\r|\n/).slice(0, side('added').length));
        expect(bare(side('removed'))).toEqual(after.split(/\r\n|\r|\n/).slice(0, side('removed').length));
        expect(removed + added > 0).toBe(before !== after);
      }),
    );
  });
});
