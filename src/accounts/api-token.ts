import { hash, randomBytes } from 'node:crypto';

/** By which people, and scanners for leaked secrets, know it. */
export const API_TOKEN_PREFIX = 'pst_';

const BYTES = 32;
const HINT_CHARACTERS = 4;

/** 32 bytes in base64url. */
const TOKEN = new RegExp(`^${API_TOKEN_PREFIX}[\\w-]{43}$`);

/** A new token, of 256 random bits. */
export function generateApiToken(): string {
  return API_TOKEN_PREFIX + randomBytes(BYTES).toString('base64url');
}

/** Under which a token is stored; undefined when the text cannot be one. */
export function apiTokenDigest(token: string): string | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'base64url') : undefined;
}

/** The last characters of a token, which may be shown. */
export function apiTokenHint(token: string): string {
  return token.slice(-HINT_CHARACTERS);
}
