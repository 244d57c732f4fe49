/// <reference lib="es2024.string" />

/**
 * Long enough against guessing, and no rules about kinds of characters, which make passwords worse (NIST SP 800-63B
 * §5.1.1.2).
 */
export const MIN_PASSWORD_CHARACTERS = 12;
/** Bounds what is hashed. */
export const MAX_PASSWORD_CHARACTERS = 1_024;
export const MAX_USERNAME_CHARACTERS = 100;

export const PASSWORD_RULE = `must have ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters`;
export const USERNAME_RULE = `must have 1 to ${MAX_USERNAME_CHARACTERS} characters, without control characters and without white space around them`;

/** What does not print: controls, marks that turn the direction of text, half characters, unassigned ones. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Tells whether the text can be an account's password. */
export function isPassword(text: string): boolean {
  return (
    text.isWellFormed() &&
    !isLongerThan(text, MAX_PASSWORD_CHARACTERS) &&
    isLongerThan(text, MIN_PASSWORD_CHARACTERS - 1)
  );
}

/** Tells whether the text can name an account, or anything else that people name, such as an API token. */
export function isUsername(text: string): boolean {
  return (
    text !== '' &&
    !isLongerThan(text, MAX_USERNAME_CHARACTERS) &&
    text === text.trim() &&
    !UNPRINTABLE.test(text)
  );
}

/** Counted in Unicode code points, each of which is one UTF-16 unit or two. */
function isLongerThan(text: string, characters: number): boolean {
  return text.length > 2 * characters || Array.from(text).length > characters;
}
