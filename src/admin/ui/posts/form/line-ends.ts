/** Returns the text as a text area holds it: with LF only. */
export function inTextArea(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/**
 * Applies an edit in a text area to the stored text and keeps the line endings. Line endings outside the edit stay
 * unchanged; new ones are like the first. A text area alone would convert every CRLF of a stored body to LF.
 */
export function afterEdit(before: string, edited: string): string {
  const shown = inTextArea(before);
  if (shown === before) return edited;
  const start = sharedStart(shown, edited);
  const end = sharedEnd(shown, edited, start);
  const lineEnd = /\r\n?|\n/.exec(before)?.[0] ?? '\n';
  const inserted = edited.slice(start, edited.length - end).replaceAll('\n', lineEnd);
  const left = before.slice(0, original(before, start));
  const right = before.slice(original(before, shown.length - end));
  return joined(joined(left, inserted), right);
}

/** Joins two parts. An adjacent CR and LF would become one line break where the edit shows two. */
function joined(left: string, right: string): string {
  return left.endsWith('\r') && right.startsWith('\n') ? `${left}\n${right}` : left + right;
}

/** Maps an index in the text area to the index in the original text. */
function original(text: string, place: number): number {
  let index = 0;
  for (let passed = 0; passed < place; passed += 1) index += text.startsWith('\r\n', index) ? 2 : 1;
  return index;
}

function sharedStart(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a.charCodeAt(length) === b.charCodeAt(length)) length += 1;
  return length;
}

function sharedEnd(a: string, b: string, start: number): number {
  const limit = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < limit && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length))
    length += 1;
  return length;
}
