import * as fc from 'fast-check';
import { checkProperty } from '../../../../../test/support/properties.js';
import { contentWith } from '../../api/posts.js';
import { conflictsOf, mergeContents, mergeText, resolve } from './merge.js';

describe('mergeText', () => {
  const merged = (base: string, mine: string, theirs: string): string =>
    mergeText({ base, mine, theirs })
      .map((part) => (typeof part === 'string' ? part : `<${part.mine}|${part.theirs}>`))
      .join('');

  it.each([
    ['lines added at different places', 'a\nb\nc', '0\na\nb\nc', 'a\nb\nc\nd', '0\na\nb\nc\nd'],
    ['the same change and another', 'a\nb\nc\nd\n', 'A\nb\nc\nd\n', 'A\nb\nc\nD\n', 'A\nb\nc\nD\n'],
    ['lines that end with CRLF', 'a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n', 'A\r\nb\r\nC\r\n'],
    ['only the line that conflicts', 'a\nb\nc\nd\n', 'a\nB\nc\nd\n', 'a\nβ\nc\nD\n', 'a\n<B\n|β\n>c\nD\n'],
    ['two conflicts', 'a\nb\nc\n', 'A\nb\nC\n', 'α\nb\nγ\n', '<A\n|α\n>b\n<C\n|γ\n>'],
    ['neighbouring lines as a conflict', 'a\nb\n', 'A\nb\n', 'a\nB\n', '<A\nb\n|a\nB\n>'],
    ['different lines added at one place', 'a\nz\n', 'a\nm\nz\n', 'a\nn\nz\n', 'a\n<m\n|n\n>z\n'],
    ['a deletion and a change', 'a\nb\nc\n', 'a\nc\n', 'a\nB\nc\n', 'a\n<|B\n>c\n'],
    ['an empty base', '', 'mine', 'theirs', '<mine|theirs>'],
  ])('merges %s', (_, base, mine, theirs, expected) => {
    expect(merged(base, mine, theirs)).toBe(expected);
  });

  it('gives the changed text when only one side, or both equally, changed; and each side by its choice', async () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd')).map((lines) => lines.join(''));
    await checkProperty(
      fc.property(text, text, (base, changed) => {
        expect(merged(base, changed, base)).toBe(changed);
        expect(merged(base, base, changed)).toBe(changed);
        expect(merged(base, changed, changed)).toBe(changed);
      }),
    );
  });
});

describe('mergeContents', () => {
  const base = {
    ...contentWith(() => ''),
    title: 'Title',
    pub_date: '2026-11-20T14:40:00.123456Z',
    body: 'one\ntwo\nthree\n',
  };

  it('keeps the changes of both sides, and asks only about conflicts', () => {
    const mine = { ...base, title: 'Mine', body: 'ONE\ntwo\n3\n' };
    const changes = { title: 'Theirs', pub_date: '2026-11-21T00:00:00.000Z', body: 'one\ntwo\nTHREE\n' };
    const theirs = { ...base, ...changes };
    const merges = mergeContents(base, mine, theirs);
    expect(mergeContents(base, theirs, theirs)).toEqual([]);
    const keys = merges.flatMap((merge) => conflictsOf(merge).map(({ key }) => key));
    expect(keys).toEqual(['title 0', 'body 1']);
    expect(resolve(theirs, merges, { 'title 0': 'mine', 'body 1': 'both' })).toEqual({
      ...theirs,
      title: 'Mine',
      body: 'ONE\ntwo\n3\nTHREE\n',
    });
    expect(resolve(theirs, merges, {})).toEqual({ ...theirs, body: 'ONE\ntwo\nTHREE\n' });
  });
});
