import { parseIdempotencyKey } from './idempotent-request.js';

describe('an Idempotency-Key', () => {
  it.each([
    ['k1', 'k1'],
    ['"k1"', 'k1'],
    ['"two words"', 'two words'],
    [String.raw`"a \"b\" \\c"`, String.raw`a "b" \c`],
    ['a,b;c=d', 'a,b;c=d'],
    ['k'.repeat(255), 'k'.repeat(255)],
    [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ])('%s is the key %s', (field, key) => {
    expect(parseIdempotencyKey(field)).toBe(key);
  });

  it.each([
    ['an empty field', ''],
    ['an empty string', '""'],
    ['256 characters', 'k'.repeat(256)],
    ['a quote that is not closed', '"k1'],
    ['a quote in the middle', 'k"1'],
    ['an unknown escape', String.raw`"k\1"`],
    ['a string with a parameter', '"k1";a=1'],
    ['bytes beyond ASCII', 'clé'],
    ['a tab', 'k\t1'],
  ])('is malformed: %s', (_, field) => {
    expect(parseIdempotencyKey(field)).toBeUndefined();
  });
});
