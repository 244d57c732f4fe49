/** Returns the text as a text area holds it: with LF only. */
export function inTextArea(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** The text after an edit in a text area. It keeps the line ends of the text before: all of them as the first. */
export function afterEdit(before: string, edited: string): string {
  if (edited === inTextArea(before)) return before;
  const lineEnd = /\r\n?|\n/.exec(before)?.[0] ?? '\n';
  return edited.replaceAll('\n', lineEnd);
}
