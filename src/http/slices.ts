import { setImmediate } from 'node:timers/promises';

/** What is worked on at a time of a large text: less than a millisecond, for which other requests have to wait. */
export const SLICE_BYTES = 65_536;

/** Larger bodies and texts are worked on in slices; smaller ones at once, which is faster. */
export const LARGE_BYTES = 4 * SLICE_BYTES;

/** Lets other requests have their turn between two slices. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** The text of bytes that are UTF-8. */
export async function decodeUtf8(bytes: Buffer): Promise<string> {
  let text = '';
  for (let start = 0; start < bytes.length;) {
    const end = characterStart(bytes, start + SLICE_BYTES);
    text += bytes.toString('utf8', start, end);
    start = end;
    if (start < bytes.length) await nextTurn();
  }
  return text;
}

/** Where the character of UTF-8 begins that the byte is a part of. */
export function characterStart(bytes: Buffer, at: number): number {
  let start = Math.min(at, bytes.length);
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start -= 1;
  return start;
}

/** A text in slices of its UTF-16 units, no surrogate pair of which is cut. */
export function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    let end = start + SLICE_BYTES;
    if (isLowSurrogate(text.charCodeAt(end)) && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
