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

/** Decodes valid UTF-8 slice by slice. */
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

/** The start of the UTF-8 character that contains the byte. */
export function characterStart(bytes: Buffer, at: number): number {
  let start = Math.min(at, bytes.length);
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start -= 1;
  return start;
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

/** Decoding such a body takes up to five times its size, so these bodies are decoded one at a time. */
const HUGE_BYTES = 8 * 1_024 * 1_024;

/** Decodes a large body. Huge bodies are decoded one at a time. */
export function decodeLarge<Result>(bytes: Buffer, decode: () => Promise<Result>): Promise<Result> {
  return bytes.length > HUGE_BYTES ? hugeBodies.run(decode) : decode();
}

/** Runs memory-intensive tasks one at a time. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

const hugeBodies = new OneByOne();
