/** Takes the processor for some milliseconds. */
export function workFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}
