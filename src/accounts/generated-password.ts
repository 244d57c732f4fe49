import { randomBytes } from 'node:crypto';

/** Without l, o, 0 and 1, which are mistaken for each other, and just as many as five bits can choose from. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_CHARACTERS = 4;

/** A password of 100 random bits that can be read out and typed. */
export function generatePassword(): string {
  return Array.from({ length: GROUPS }, () =>
    Array.from(randomBytes(GROUP_CHARACTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  ).join('-');
}
