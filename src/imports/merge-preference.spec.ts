import { prefersMergedDuplicates } from './merge-preference.js';

describe('prefersMergedDuplicates', () => {
  it.each([
    [true, 'resolution=merge-duplicates'],
    [true, 'return=minimal, Resolution="merge-duplicates"'],
    [false, undefined],
    [false, 'resolution=ignore-duplicates'],
    [false, 'foo="resolution=merge-duplicates'],
    [false, 'resolution=merge-duplicates-too'],
  ])('is %s for %j', (expected, field) => {
    expect(prefersMergedDuplicates(field)).toBe(expected);
  });
});
