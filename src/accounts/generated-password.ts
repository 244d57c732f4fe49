import { randomBytes } from 'node:crypto';

/** 32 characters (five bits each), without the easily confused l, o, 0 and 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_CHARACTERS = 4;

/** Returns a password of 100 random bits that is easy to read aloud and to type. */
export function generatePassword(): string {
  return Array.from({ length: GROUPS }, () =>
    Array.from(randomBytes(GROUP_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  ).join('-');
}
