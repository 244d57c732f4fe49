import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Identifies the token to people and to scanners for leaked secrets. */
export const SESSION_TOKEN_PREFIX = 'psa_';

const ID_BYTES = 16;
const EXPIRY_BYTES = 6;
const SIGNED_BYTES = ID_BYTES + EXPIRY_BYTES;
const SIGNATURE_BYTES = 32;

/** The byte count is a multiple of three, so base64url has no unused bits and each token has exactly one spelling. */
const TOKEN = new RegExp(`^${SESSION_TOKEN_PREFIX}[\\w-]{${((SIGNED_BYTES + SIGNATURE_BYTES) / 3) * 4}}$`);

/** Separates these signatures from others made with the same secret. */
const PURPOSE = 'posts session token 1';

/** The content of a token with a valid signature. */
export interface SessionClaim {
  readonly id: string;
  readonly expiresAt: number;
}

/**
 * Issues a token: a random id, its expiry time, and a signature (HMAC-SHA-256) of both. The token carries no algorithm,
 * key or type that a client could choose.
 */
export function issueSessionToken(expiresAt: number, secret: Buffer): { token: string; claim: SessionClaim } {
  const signed = Buffer.alloc(SIGNED_BYTES);
  randomBytes(ID_BYTES).copy(signed);
  signed.writeUIntBE(expiresAt, ID_BYTES, EXPIRY_BYTES);
  const token = Buffer.concat([signed, sign(signed, secret)]).toString('base64url');
  return { token: SESSION_TOKEN_PREFIX + token, claim: claimOf(signed) };
}

/**
 * Reads a token. Its expiry and its session are not checked here.
 *
 * @returns undefined when the token is malformed or its signature is wrong
 */
export function readSessionToken(token: string, secret: Buffer): SessionClaim | undefined {
  if (!TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(SESSION_TOKEN_PREFIX.length), 'base64url');
  const signed = bytes.subarray(0, SIGNED_BYTES);
  return timingSafeEqual(bytes.subarray(SIGNED_BYTES), sign(signed, secret)) ? claimOf(signed) : undefined;
}

function sign(signed: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(PURPOSE).update(signed).digest();
}

function claimOf(signed: Buffer): SessionClaim {
  return {
    id: hash('sha256', signed.subarray(0, ID_BYTES), 'base64url'),
    expiresAt: signed.readUIntBE(ID_BYTES, EXPIRY_BYTES),
  };
}
