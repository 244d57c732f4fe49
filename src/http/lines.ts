/** A line of a text, without its line feed. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer;
}

export const LINE_FEED = 0x0a;

/** How many lines end in the bytes. */
export function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

/**
 * Splits bytes into lines, of which it holds one at a time.
 *
 * @param onTooLong makes what is thrown for a line of more than `maxLineBytes`
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes: number,
  onTooLong: () => Error,
): AsyncGenerator<Line> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const last = chunk.subarray(start, end);
      if (length + last.length > maxLineBytes) throw onTooLong();
      yield { number, bytes: parts.length === 0 ? last : Buffer.concat([...parts, last]) };
      number++;
      parts = [];
      length = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      length += chunk.length - start;
      if (length > maxLineBytes) throw onTooLong();
      parts.push(chunk.subarray(start));
    }
  }
  if (length > 0) yield { number, bytes: Buffer.concat(parts) };
}
