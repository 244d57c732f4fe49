import { hash, randomBytes } from 'node:crypto';

/** Identifies the token to people and to scanners for leaked secrets. */
export const API_TOKEN_PREFIX = 'pst_';

const BYTES = 32;
const HINT_CHARACTERS = 4;

/** 32 bytes in base64url. */
const TOKEN = new RegExp(`^${API_TOKEN_PREFIX}[\\w-]{43}$`);

/** Returns a new token with 256 random bits. */
export function generateApiToken(): string {
  return API_TOKEN_PREFIX + randomBytes(BYTES).toString('base64url');
}

/** Returns the digest under which a token is stored, or undefined when the text is not a well-formed token. */
export function apiTokenDigest(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}

/** Returns the last characters of a token, which may be shown. */
export function apiTokenHint(token: string): string {
  return token.slice(-HINT_CHARACTERS);
}
