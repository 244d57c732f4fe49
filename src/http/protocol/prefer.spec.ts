import { prefersExactCount, prefersMinimal } from './prefer.js';

describe('prefersExactCount', () => {
  it.each([
    ['count=exact'],
    ['count="exact"'],
    ['Count=exact'],
    ['count=exact; strict=no'],
    ['count=exact, count=none'],
    ['foo="count=none, count=none", count=exact'],
    ['foo="a;b", count=exact'],
    [', ,count=exact,'],
    ['count=two words, count=exact'],
  ])('is true for %j', (field) => {
    expect(prefersExactCount(field)).toBe(true);
  });

  it.each([
    [undefined],
    [''],
    ['count'],
    ['count=""'],
    ['count=none'],
    ['count=Exact'],
    ['count=exact=exact'],
    ['exact'],
    ['foo; count=exact'],
    ['foo=", count=exact"'],
    ['count=none, count=exact'],
    ['count="", count=exact'],
  ])('is false for %j', (field) => {
    expect(prefersExactCount(field)).toBe(false);
  });
});

describe('prefersMinimal', () => {
  it.each([
    ['return=minimal'],
    ['count=exact, return=minimal'],
    ['respond-async, return=minimal, return=representation'],
  ])('is true for %j', (field) => {
    expect(prefersMinimal(field)).toBe(true);
  });

  it.each([[undefined], ['return=representation'], ['return=representation, return=minimal']])(
    'is false for %j',
    (field) => {
      expect(prefersMinimal(field)).toBe(false);
    },
  );
});
