import { API_TOKEN, issueToken, SESSION_TOKEN, tokenDigest } from './tokens.repository.js';

describe.each([SESSION_TOKEN, API_TOKEN] as const)('a token %s', (prefix) => {
  const token = issueToken(prefix);

  it('is unique, and stored as a digest that does not contain it', () => {
    expect(token).toMatch(/^ps[at]_[\w-]{43}$/);
    expect(issueToken(prefix)).not.toBe(token);
    expect(tokenDigest(token)).toMatch(/^[\w-]{43}$/);
    expect(tokenDigest(token)).toBe(tokenDigest(token));
    expect(token).not.toContain(tokenDigest(token));
  });

  it('has no digest in any other form', () => {
    const body = token.slice(4);
    const others = [
      body,
      `${token}A`,
      token.slice(0, -1),
      ` ${token}`,
      `${token}\n`,
      `PSA_${body}`,
      `psx_${body}`,
      '',
    ];
    for (const other of others) expect(tokenDigest(other)).toBeUndefined();
  });
});
