/** Control characters, line and paragraph separators, and the marks that turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes a text safe to print within one line: no character of it breaks the line, drives a terminal or reorders what
 * is read. What a client sends (a path, a title) could forge log lines otherwise (CWE-117).
 */
export function escapeControlCharacters(text: string): string {
  return text.replace(UNPRINTABLE, (character) => SHORT_ESCAPES[character] ?? escapeUnit(character));
}

/**
 * Escapes, within JSON, what JSON allows unescaped although some readers break lines at it or obey it: DEL, the C1
 * controls (NEL among them) and U+2028, U+2029. The JSON keeps its value.
 */
export function escapeRawControlCharacters(json: string): string {
  // The line feed that ends a record is not in the class.
  return json.replace(/[\u007F-\u009F\u2028\u2029]/g, escapeUnit);
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
