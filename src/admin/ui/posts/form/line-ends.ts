/** Returns the text as a text area holds it: with LF only. */
export function inTextArea(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/** The text after an edit in a text area. It keeps the line ends of the text before: all of them as the first. */
export function afterEdit(before: string, edited: string): string {
  // Most texts have LF only. They can have megabytes, and this runs at each key press.
  if (!before.includes('\r')) return edited;
  if (edited === inTextArea(before)) return before;
  const [lineEnd = '\n'] = /\r\n?|\n/.exec(before) ?? [];
  return edited.replaceAll('\n', lineEnd);
}
