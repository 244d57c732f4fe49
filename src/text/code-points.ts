/** Counts Unicode code points. Each is one or two UTF-16 units, so most texts need no count. */
export function isLongerThan(text: string, codePoints: number): boolean {
  if (text.length <= codePoints) return false;
  return text.length > 2 * codePoints || Array.from(text).length > codePoints;
}

/** Whether a place is between the two halves of a surrogate pair. */
export function isWithinPair(text: string, place: number): boolean {
  return place < text.length && (text.charCodeAt(place) & 0xfc_00) === 0xdc_00;
}
