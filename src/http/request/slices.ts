import { setImmediate } from 'node:timers/promises';

/**
 * The size of a slice of a large text. Processing one takes less than a millisecond, so other requests wait no longer.
 */
export const SLICE_BYTES = 65_536;

/** Larger bodies and texts are processed in slices; smaller ones at once, which is faster. */
export const LARGE_BYTES = 4 * SLICE_BYTES;

export function isLargeText(text: string): boolean {
  return text.length > LARGE_BYTES;
}

export function nextTurn(): Promise<void> {
  return setImmediate();
}

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

/** The body of a response that is too large to be built at once. */
export class SlicedBody {
  constructor(
    /** The approximate length, in UTF-16 units. */
    readonly length: number,
    /** Generates the body and yields to the event loop between two slices. */
    readonly slices: () => AsyncIterable<string>,
  ) {}
}

/** A large escaped text with a prefix and a suffix. */
export class SlicedText extends SlicedBody {
  constructor(
    readonly before: string,
    readonly text: string,
    escape: (slice: string) => string,
    after: string,
  ) {
    super(before.length + text.length + after.length, async function* slices() {
      let start = before;
      for (const slice of slicesOf(text)) {
        yield start + escape(slice);
        start = '';
        await nextTurn();
      }
      yield start + after;
    });
  }
}

export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
