/// <reference lib="es2024.string" />

/** The longest title, in Unicode code points: 200 emoji fit. */
export const TITLE_MAX_CODE_POINTS = 200;

/** Why a text cannot be stored exactly as it is; `undefined` when it can. PostgreSQL holds neither of the two. */
export function textFault(value: string): string | undefined {
  if (value.includes('\0')) return 'The text must not contain U+0000 (the null character).';
  if (!value.isWellFormed()) return 'The text must not contain a lone surrogate (half of a UTF-16 pair).';
  return undefined;
}

/** Why a text cannot be the title of a post; `undefined` when it can. */
export function titleFault(value: string): string | undefined {
  if (isLongerThan(value, TITLE_MAX_CODE_POINTS)) {
    return `The title must have at most ${TITLE_MAX_CODE_POINTS} characters (Unicode code points).`;
  }
  if (value.trim() === '') return 'The title must not be empty or only white space.';
  return textFault(value);
}

/** Counted in Unicode code points, each of which is one UTF-16 unit or two; so most texts need no count. */
function isLongerThan(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return false;
  return text.length > 2 * codePoints || Array.from(text).length > codePoints;
}
