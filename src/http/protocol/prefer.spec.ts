import { prefersExactCount } from './prefer.js';

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
