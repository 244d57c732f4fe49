let held = 0;

window.addEventListener('beforeunload', (event) => {
  if (hasUnsavedInput()) event.preventDefault();
});

/**
 * Registers unsaved input, or an action that ends with the page: the browser asks before it closes or reloads the page.
 *
 * @returns a function for when there is none any more
 */
export function holdUnsavedInput(): () => void {
  held++;
  return () => void held--;
}

/** Whether the page has unsaved input. */
export function hasUnsavedInput(): boolean {
  return held > 0;
}
