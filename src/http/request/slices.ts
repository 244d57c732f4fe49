import { setImmediate } from 'node:timers/promises';

/** What is worked on at a time of a large text: less than a millisecond, for which other requests have to wait. */
export const SLICE_BYTES = 65_536;

/** Larger bodies and texts are worked on in slices; smaller ones at once, which is faster. */
export const LARGE_BYTES = 4 * SLICE_BYTES;

/** Whether a text is to be worked on in slices. */
export function isLargeText(text: string): boolean {
  return text.length > LARGE_BYTES;
}

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

/** The body of a response that is too large to be made at once. */
export class SlicedBody {
  constructor(
    /** About how long it is, in UTF-16 units. */
    readonly length: number,
    /** Makes it; other requests have their turn between two slices. */
    readonly slices: () => AsyncIterable<string>,
  ) {}
}

/** A large text, escaped, with something before and behind it. */
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

/** A part of a JSON string. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** While such a body is decoded it takes up to five times its size, so only one of them is. */
const HUGE_BYTES = 8 * 1_024 * 1_024;

/** Decodes a large body; a huge one only after those that are being decoded. */
export function decodeLarge<Result>(bytes: Buffer, decode: () => Promise<Result>): Promise<Result> {
  return bytes.length > HUGE_BYTES ? hugeBodies.run(decode) : decode();
}

/** Does work that takes much memory one after the other. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

const hugeBodies = new OneByOne();
