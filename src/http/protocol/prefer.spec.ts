import { prefers } from './prefer.js';

describe('prefers', () => {
  it.each([
    [true, 'count=exact'],
    [true, 'Count="exact"; strict=no'],
    [true, 'COUNT = exact'],
    [true, 'count=exact, count=none'],
    [true, 'foo="count=none, count=none", count=exact'],
    [true, ', ,count=exact,'],
    [true, 'resolution=merge-duplicates, count=exact'],
    [false, undefined],
    [false, 'count'],
    [false, 'count=Exact'],
    [false, 'count=exactly'],
    [false, 'count=none, count=exact'],
    [false, 'foo; count=exact'],
    [false, 'foo=", count=exact"'],
    [false, 'foo="count=exact'],
  ])('is %s for %j', (expected, field) => {
    expect(prefers(field, 'count', 'exact')).toBe(expected);
  });
});
