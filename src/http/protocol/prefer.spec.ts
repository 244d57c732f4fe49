import { prefersExactCount, prefersMinimal } from './prefer.js';

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

describe('prefersMinimal', () => {
  it.each([
    [true, 'count=exact, return=minimal, return=representation'],
    [false, undefined],
    [false, 'return=representation, return=minimal'],
  ])('is %s for %j', (expected, field) => {
    expect(prefersMinimal(field)).toBe(expected);
  });
});
