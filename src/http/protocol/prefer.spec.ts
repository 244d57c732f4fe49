import { prefersExactCount, prefersMergedDuplicates } from './prefer.js';

describe('prefersExactCount', () => {
  it.each([
    [true, 'count=exact'],
    [true, 'Count="exact"; strict=no'],
    [true, 'count=exact, count=none'],
    [true, 'foo="count=none, count=none", count=exact'],
    [true, ', ,count=exact,'],
    [false, undefined],
    [false, 'count'],
    [false, 'count=Exact'],
    [false, 'foo; count=exact'],
    [false, 'foo=", count=exact"'],
  ])('is %s for %j', (expected, field) => {
    expect(prefersExactCount(field)).toBe(expected);
  });
});

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
