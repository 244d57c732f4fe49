import { prefersExactCount, prefersMinimal } from './prefer.js';

describe('prefersExactCount', () => {
  it.each([
    ['count=exact'],
    ['count="exact"'],
    ['count="ex\\act"'],
    ['Count=exact'],
    ['COUNT = exact'],
    [' count=exact '],
    ['count=exact; strict=no'],
    ['count=exact;'],
    ['count=exact, count=none'],
    ['count=exact, count'],
    ['respond-async, wait=100, count=exact'],
    ['foo; count=none, count=exact'],
    ['foo="count=none, count=none", count=exact'],
    ['foo="a;b", count=exact'],
    [', ,count=exact,'],
    ['count=two words, count=exact'],
    ['count=a=b, count=exact'],
  ])('is true for %j', (field) => {
    expect(prefersExactCount(field)).toBe(true);
  });

  it.each([
    [undefined],
    [''],
    ['count'],
    ['count='],
    ['count=""'],
    ['count=none'],
    ['count=estimated'],
    ['count=Exact'],
    ['count=exactly'],
    ['count=" exact"'],
    ['count=exact=exact'],
    ['counts=exact'],
    ['exact'],
    ['foo; count=exact'],
    ['foo="count=exact"'],
    ['foo=", count=exact"'],
    ['foo=", count=exact'],
    ['count=none, count=exact'],
    ['count, count=exact'],
    ['count="", count=exact'],
    ['Count=none, count=exact'],
  ])('is false for %j', (field) => {
    expect(prefersExactCount(field)).toBe(false);
  });
});

describe('prefersMinimal', () => {
  it.each([
    ['return=minimal'],
    ['Return="minimal"; foo'],
    ['count=exact, return=minimal'],
    ['respond-async, return=minimal, return=representation'],
  ])('is true for %j', (field) => {
    expect(prefersMinimal(field)).toBe(true);
  });

  it.each([
    [undefined],
    ['return'],
    ['minimal'],
    ['return=representation'],
    ['return=representation, return=minimal'],
    ['return=Minimal'],
    ['foo; return=minimal'],
    ['foo="return=minimal"'],
  ])('is false for %j', (field) => {
    expect(prefersMinimal(field)).toBe(false);
  });
});
