/// <reference lib="es2024.string" />
import { isLongerThan } from '../text/code-points.js';

/**
 * Long enough to resist guessing. There are no rules about kinds of characters, because they make passwords worse (NIST
 * SP 800-63B §5.1.1.2).
 */
export const MIN_PASSWORD_CHARACTERS = 12;
export const MAX_PASSWORD_CHARACTERS = 1_024;
/** Refuses repetitions, and the user name with little beside it. */
const MIN_DIFFERENT_CHARACTERS = 5;
export const MAX_USERNAME_CHARACTERS = 100;

export const PASSWORD_RULE = `must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters, and no line end or other control character`;
export const VARIETY_RULE = `must have at least ${MIN_DIFFERENT_CHARACTERS} different characters, not counting the user name`;
export const USERNAME_RULE = `must have 1 to ${MAX_USERNAME_CHARACTERS} characters, without control characters and without white space around them`;

/**
 * Characters that do not print, such as controls, marks of text direction, lone surrogates and unassigned code points.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** No field of a form takes control characters such as a line end, so nobody could log in with them. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export function isPassword(text: string): boolean {
  return (
    text.isWellFormed() &&
    !CONTROLS.test(text) &&
    !isLongerThan(text, MAX_PASSWORD_CHARACTERS) &&
    isLongerThan(text, MIN_PASSWORD_CHARACTERS - 1)
  );
}

/**
 * Whether a password that a person chose has too few different characters beside the user name. Case does not matter.
 * ADMIN_PASSWORD is the operator's choice.
 */
export function isEasyToGuess(text: string, username = ''): boolean {
  const rest = username === '' ? fold(text) : fold(text).replaceAll(fold(username), '');
  return new Set(rest).size < MIN_DIFFERENT_CHARACTERS;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whether the text is valid as the name of an account, or of anything else that users name, such as an API token. */
export function isUsername(text: string): boolean {
  const isTrimmed = text !== '' && text === text.trim();
  return isTrimmed && !isLongerThan(text, MAX_USERNAME_CHARACTERS) && !UNPRINTABLE.test(text);
}
