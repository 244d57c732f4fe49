import { apiTokenDigest, apiTokenHint, generateApiToken } from './api-tokens.service.js';

describe('an API token', () => {
  it('is random, ends with its hint, and does not contain its digest', () => {
    const token = generateApiToken();
    expect(token).toMatch(/^pst_[\w-]{43}$/);
    expect(generateApiToken()).not.toBe(token);
    const digest = apiTokenDigest(token)!;
    expect(digest).toMatch(/^[\w-]{43}$/);
    expect(apiTokenDigest(token)).toBe(digest);
    expect(token).not.toContain(digest);
    expect(token.endsWith(apiTokenHint(token))).toBe(true);
  });

  it.each(['', 'pst_', `pst_${'A'.repeat(42)}`, `pst_${'A'.repeat(44)}`, `psa_${'A'.repeat(43)}`, 'pst_\n'])(
    'has no digest when it is malformed: %j',
    (text) => {
      expect(apiTokenDigest(text)).toBeUndefined();
    },
  );
});
