import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** By which people, and scanners for leaked secrets, know it. */
export const SESSION_TOKEN_PREFIX = 'psa_';

const ID_BYTES = 16;
const EXPIRY_BYTES = 6;
const SIGNED_BYTES = ID_BYTES + EXPIRY_BYTES;
const SIGNATURE_BYTES = 32;

/** The bytes are a multiple of three, so a token has but one spelling. */
const TOKEN = new RegExp(`^${SESSION_TOKEN_PREFIX}[\\w-]{${((SIGNED_BYTES + SIGNATURE_BYTES) / 3) * 4}}$`);

/** Keeps these signatures apart from any others that the same secret may make. */
const PURPOSE = 'posts session token 1';

/** What a token says, once its signature was found to be ours. */
export interface SessionClaim {
  /** The key of the session's row. */
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A token: a random id, the time at which it expires, and a signature (HMAC-SHA-256) of both. There is nothing in it to
 * choose: no algorithm, no key, no type.
 */
export function issueSessionToken(expiresAt: number, secret: Buffer): { token: string; claim: SessionClaim } {
  const signed = Buffer.alloc(SIGNED_BYTES);
  randomBytes(ID_BYTES).copy(signed);
  signed.writeUIntBE(expiresAt, ID_BYTES, EXPIRY_BYTES);
  const token = Buffer.concat([signed, sign(signed, secret)]).toString('base64url');
  return { token: SESSION_TOKEN_PREFIX + token, claim: claimOf(signed) };
}

/** What a token says; undefined when it is not one of ours. It may have expired, or its session may be over. */
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
