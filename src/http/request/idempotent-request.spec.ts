import { parseIdempotencyKey } from './idempotent-request.js';

describe('an Idempotency-Key', () => {
  it.each([
    ['k1', 'k1'],
    ['"two words"', 'two words'],
    [String.raw`"a \"b\" \\c"`, String.raw`a "b" \c`],
    ['k'.repeat(255), 'k'.repeat(255)],
    [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ])('%s is the key %s', (field, key) => {
    expect(parseIdempotencyKey(field)).toBe(key);
  });

  it.each(['', '""', 'k'.repeat(256), '"k1', 'k"1', String.raw`"k\1"`, '"k1";a=1', 'clé', 'k\t1'])(
    'is malformed: %j',
    (field) => {
      expect(parseIdempotencyKey(field)).toBeUndefined();
    },
  );
});
