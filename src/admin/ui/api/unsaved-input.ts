interface Held {
  readonly isKept: boolean;
}

const held = new Set<Held>();

window.addEventListener('beforeunload', (event) => {
  if (hasUnsavedInput()) event.preventDefault();
});

/**
 * Registers unsaved input, or an action that ends with the page: the browser asks before it closes or reloads the page.
 *
 * @param isKept whether this browser keeps it, so that its author finds it again
 * @returns a function for when there is none any more
 */
export function holdUnsavedInput(isKept = false): () => void {
  const input = { isKept };
  held.add(input);
  return () => void held.delete(input);
}

/** Whether the page has unsaved input. */
export function hasUnsavedInput(): boolean {
  return held.size > 0;
}

/** Whether the page has unsaved input that would be lost with it. */
export function hasUnkeptInput(): boolean {
  return Array.from(held).some(({ isKept }) => !isKept);
}
