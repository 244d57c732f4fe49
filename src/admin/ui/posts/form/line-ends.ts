/** What a text area makes of a text: it knows one line end. */
export function inTextArea(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/**
 * The text after an edit in a text area, with the line ends that it had: those outside of the edit as they were, new ones
 * as the first. A text area alone would turn every CRLF of a stored body into LF.
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

/** A CR and a LF that come to stand side by side would be one line end where the edit shows two. */
function joined(left: string, right: string): string {
  return left.endsWith('\r') && right.startsWith('\n') ? `${left}\n${right}` : left + right;
}

/** The place in the original that a place in its text area stands for. */
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
