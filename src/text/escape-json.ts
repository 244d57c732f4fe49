/** Escapes a part of a text as JSON, without the quotes around it. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
