/** What XML 1.0 cannot hold in any way, not even as a reference (§2.2); a stored text has no lone surrogates. */
// oxlint-disable-next-line no-control-regex -- it is about control characters
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser makes a line feed of it otherwise (§2.11).
  '\r': '&#13;',
};

/** Tells whether XML can hold the text as it is. */
export function isXmlText(text: string): boolean {
  FORBIDDEN.lastIndex = 0;
  return !FORBIDDEN.test(text);
}

/** The text as the content of an element or an attribute. @throws when {@link isXmlText} is not true of it */
export function escapeXml(text: string): string {
  if (!isXmlText(text)) throw new Error('XML cannot hold this text.');
  return text.replaceAll(/[&<>"\r]/g, (char) => REFERENCES[char]!);
}

/**
 * What can be shown of any text: a control character is shown by its picture (U+2400 ff.: ␇ for U+0007), a
 * noncharacter by U+FFFD.
 */
export function showAsXmlText(text: string): string {
  return text.replaceAll(FORBIDDEN, (char) =>
    char < ' ' ? String.fromCharCode(0x2400 + char.charCodeAt(0)) : '\ufffd',
  );
}
