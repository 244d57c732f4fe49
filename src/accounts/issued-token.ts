import { hash, randomBytes } from 'node:crypto';

/** Prefixes identify tokens to people and to scanners for leaked secrets. */
export const SESSION_TOKEN = 'psa_';
export const API_TOKEN = 'pst_';

const BYTES = 32;

/** 32 bytes in base64url, after a prefix. */
const TOKEN = new RegExp(`^(?:${SESSION_TOKEN}|${API_TOKEN})[\\w-]{43}$`);

/** Issues a token. Only its digest is stored. */
export function issueToken(prefix: typeof SESSION_TOKEN | typeof API_TOKEN): string {
  return prefix + randomBytes(BYTES).toString('base64url');
}

/**
 * Returns the digest under which a token is stored, or undefined when the text is not a well-formed token. A plain
 * digest is safe because the token has 256 random bits.
 */
export function tokenDigest(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}
