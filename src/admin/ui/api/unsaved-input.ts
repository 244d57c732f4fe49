let forms = 0;

/** Registers a form with unsaved input. @returns a function for when it has none any more */
export function holdUnsavedInput(): () => void {
  forms++;
  return () => void forms--;
}

/** Whether the page has unsaved input. */
export function hasUnsavedInput(): boolean {
  return forms > 0;
}
