/**
 * Enter in a line sends the form, as in forms of HTML, and Ctrl+Enter (⌘ Enter) in a text, where Enter is a line break.
 * A deletion needs its button.
 */
export function sendByKeyboard(event: KeyboardEvent): void {
  const { target: field, key, isComposing, ctrlKey, metaKey } = event;
  if (key !== 'Enter' || isComposing || !(field instanceof Element)) return;
  const isLine = field.matches('input, textarea[rows="1"]');
  const operation = field.closest('.opblock');
  if (!operation || !(isLine || (field.matches('textarea') && (ctrlKey || metaKey)))) return;
  event.preventDefault();
  if (!operation.matches('.opblock-delete')) operation.querySelector<HTMLElement>('.execute')?.click();
}
