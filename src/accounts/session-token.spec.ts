import { createHmac, randomBytes } from 'node:crypto';
import { issueSessionToken, readSessionToken } from './session-token.js';

const secret = randomBytes(32);
const EXPIRES_AT = Date.UTC(2026, 10, 20, 15, 40, 0, 123);
const { token, claim } = issueSessionToken(EXPIRES_AT, secret);
const bytes = () => Buffer.from(token.slice(4), 'base64url');
const spelled = (forged: Buffer) => `psa_${forged.toString('base64url')}`;

describe('a session token', () => {
  it('is read as the claim that it was issued with, and is unique', () => {
    expect(token).toMatch(/^psa_[\w-]{72}$/);
    expect(claim.expiresAt).toBe(EXPIRES_AT);
    expect(readSessionToken(token, secret)).toEqual(claim);
    const other = issueSessionToken(EXPIRES_AT, secret);
    expect(other.token).not.toBe(token);
    expect(other.claim.id).not.toBe(claim.id);
  });

  it('does not contain the key of its stored session', () => {
    expect(token).not.toContain(claim.id);
    expect(bytes().includes(Buffer.from(claim.id, 'base64url'))).toBe(false);
  });

  it('is invalid with any bit changed', () => {
    for (let bit = 0; bit < bytes().length * 8; bit += 1) {
      const forged = bytes();
      forged[bit >> 3]! ^= 1 << (bit & 7);
      expect(readSessionToken(spelled(forged), secret)).toBeUndefined();
    }
  });

  it('is invalid with another secret, or with a signature for another purpose', () => {
    expect(readSessionToken(token, randomBytes(32))).toBeUndefined();
    const signed = bytes().subarray(0, 22);
    const signature = createHmac('sha256', secret).update(signed).digest();
    expect(readSessionToken(spelled(Buffer.concat([signed, signature])), secret)).toBeUndefined();
  });

  it('is invalid in any other spelling', () => {
    const standard = `psa_${bytes().toString('base64')}`;
    const spellings = [
      ...(standard === token ? [] : [standard]),
      `${token}=`,
      `${token}A`,
      token.slice(0, -1),
      token.replace('psa_', 'PSA_'),
      token.slice(4),
      ` ${token}`,
      `${token}\n`,
      '',
    ];
    for (const spelling of spellings) expect(readSessionToken(spelling, secret)).toBeUndefined();
  });
});
