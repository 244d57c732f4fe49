import * as fc from 'fast-check';
import { checkProperty } from '../../../../../test/support/properties.js';
import { conflictsOf, resolve } from './conflict.js';
import { mergeText } from './merge-text.js';

describe('mergeText', () => {
  it.each([
    ['changes of different lines', 'a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['lines added at different places', 'a\nb\nc', '0\na\nb\nc', 'a\nb\nc\nd', '0\na\nb\nc\nd'],
    ['lines added far apart', 'a\nb\nc\n', '0\na\nb\nc\n', 'a\nb\nc\nd\n', '0\na\nb\nc\nd\n'],
    ['the same change', 'a\nb\n', 'a\nB\n', 'a\nB\n', 'a\nB\n'],
    ['the same change and another', 'a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'A\nb\nc\nD\n', 'A\nb\nc\nD\n'],
    ['nothing when both sides change a line differently', 'a\nb\nc\n', 'a\nB\nc\n', 'a\nβ\nc\n', undefined],
    ['nothing when neighbouring lines change', 'a\nb\n', 'A\nb\n', 'a\nB\n', undefined],
    ['nothing when different lines are added at one place', 'a\nz\n', 'a\nm\nz\n', 'a\nn\nz\n', undefined],
    [
      'nothing when one side deletes a line that the other changes',
      'a\nb\nc\n',
      'a\nc\n',
      'a\nB\nc\n',
      undefined,
    ],
    ['lines that end with CRLF', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n', 'A\r\nb\r\nC\r\n'],
    ['nothing when the base is empty', '', 'mine', 'theirs', undefined],
  ])('merges %s', (_, base, mine, theirs, merged) => {
    expect(mergeText(base, mine, theirs)).toBe(merged);
    expect(mergeText(base, theirs, mine)).toBe(merged);
  });

  it('returns the changed text when only one side, or both equally, changed', async () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd')).map((lines) => lines.join(''));
    await checkProperty(
      fc.property(text, text, (base, changed) => {
        expect(mergeText(base, changed, base)).toBe(changed);
        expect(mergeText(base, base, changed)).toBe(changed);
        expect(mergeText(base, changed, changed)).toBe(changed);
      }),
    );
  });
});

describe('conflictsOf', () => {
  const base = { title: 'Title', pub_date: '2026-11-20T14:40:00.123456Z', body: 'one\ntwo\nthree\n' };

  it('leaves out fields that are the same on both sides', () => {
    expect(conflictsOf(base, base, base)).toEqual([]);
    const both = { ...base, title: 'Other' };
    expect(conflictsOf(base, both, both)).toEqual([]);
  });

  it('proposes the side that changed a field, or both when the changes merge', () => {
    const mine = { ...base, title: 'Mine', body: 'ONE\ntwo\nthree\n' };
    const theirs = { ...base, pub_date: '2026-11-21T00:00:00.000Z', body: 'one\ntwo\nTHREE\n' };
    const conflicts = conflictsOf(base, mine, theirs);
    expect(conflicts.map(({ field, proposal }) => [field, proposal])).toEqual([
      ['title', 'mine'],
      ['pub_date', 'theirs'],
      ['body', 'both'],
    ]);
    expect(resolve(theirs, conflicts, { title: 'mine', pub_date: 'theirs', body: 'both' })).toEqual({
      title: 'Mine',
      pub_date: theirs.pub_date,
      body: 'ONE\ntwo\nTHREE\n',
    });
  });

  it('proposes nothing when both sides changed a field differently', () => {
    const [conflict] = conflictsOf(base, { ...base, title: 'Mine' }, { ...base, title: 'Theirs' });
    expect(conflict).toEqual({
      field: 'title',
      base: 'Title',
      mine: 'Mine',
      theirs: 'Theirs',
      both: undefined,
      proposal: undefined,
    });
  });

  it('resolves to the stored value where nothing was chosen', () => {
    const theirs = { ...base, title: 'Theirs' };
    expect(resolve(theirs, conflictsOf(base, { ...base, title: 'Mine' }, theirs), {})).toEqual(theirs);
  });
});
