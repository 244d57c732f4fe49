/**
 * The size of a slice of a large text. Processing one takes less than a millisecond, so other requests wait no longer.
 */
export const SLICE_BYTES = 65_536;

/** Splits a text into slices of UTF-16 units without cutting a surrogate pair. */
export function* slicesOf(text: string, units = SLICE_BYTES): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + units;
    const isPairCut = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    if (isPairCut) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
