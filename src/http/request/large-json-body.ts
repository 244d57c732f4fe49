import { randomUUID } from 'node:crypto';
import {
  asObject,
  BACKSLASH,
  faulty,
  JsonScan,
  malformed,
  MAX_JSON_VALUES,
  Place,
  positionOf,
  textBytes,
} from './json-body.js';
import { characterStart, decodeLarge, nextTurn, SLICE_BYTES } from './slices.js';

/** Longer strings and longer white space are left out of the text that is parsed at once. */
const MAX_SHORT_BYTES = 256;
/** Longer than the name of any field; faults quote 100 characters. */
const MAX_KEY_LENGTH = 200;
/**
 * The maximum length of the text that is parsed at once, in UTF-16 units. Only numbers with thousands of digits exceed
 * it.
 */
const MAX_OUTLINE_LENGTH = 2 * MAX_JSON_VALUES * MAX_SHORT_BYTES;

/** A placeholder for a left-out string, followed by its index. Clients cannot guess it. */
const MARK = randomUUID();

interface Origin {
  readonly outlineStart: number;
  readonly byteStart: number;
}

interface LongString {
  readonly start: number;
  readonly end: number;
  readonly isKey: boolean;
}

/**
 * Decodes a large body like {@link import('./json-body.js').decodeJsonBody}, but yields to the event loop. Long strings
 * are decoded slice by slice; the rest is short and parsed at once.
 *
 * @throws InvalidRequest
 */
export async function decodeLargeJsonBody(body: Buffer): Promise<Record<string, unknown>> {
  return decodeLarge(body, () => new LargeJson(textBytes(body)).decode());
}

class LargeJson {
  /** The text with a placeholder for each long string and without long white space. */
  #outline = '';
  readonly #origins: Origin[] = [];
  readonly #texts: string[] = [];
  readonly #leftOut: (LongString | { readonly start: number; readonly end: number })[] = [];
  /** The outline covers the bytes before this index. */
  #outlinedTo = 0;

  constructor(private readonly bytes: Buffer) {}

  async decode(): Promise<Record<string, unknown>> {
    const { bytes } = this;
    const scan = new JsonScan(bytes, {
      onString: (start, end, isKey) => {
        if (end - start > MAX_SHORT_BYTES) this.#leftOut.push({ start, end, isKey });
      },
      onWhiteSpace: (start, end) => {
        if (end - start > MAX_SHORT_BYTES) this.#leftOut.push({ start, end });
      },
    });
    while (scan.at < bytes.length) {
      scan.runTo(Math.min(scan.at + SLICE_BYTES, bytes.length));
      await this.#outlineLeftOut();
      await nextTurn();
    }
    if (scan.isInString) throw await this.#malformedAt(bytes.length);
    this.#addVerbatim(bytes.length);
    return asObject(await this.#parse());
  }

  async #outlineLeftOut(): Promise<void> {
    for (const part of this.#leftOut.splice(0)) {
      this.#addVerbatim(part.start);
      this.#startPart();
      if ('isKey' in part) {
        const text = await this.#decodeString(part.start + 1, part.end - 1);
        this.#outline += JSON.stringify(part.isKey ? text.slice(0, MAX_KEY_LENGTH) : this.#markOf(text));
      } else {
        this.#outline += ' ';
      }
      this.#outlinedTo = part.end;
    }
  }

  #addVerbatim(end: number): void {
    if (this.#outline.length + end - this.#outlinedTo > MAX_OUTLINE_LENGTH) {
      throw faulty('out_of_range', 'The body has numbers with too many digits.');
    }
    this.#startPart();
    this.#outline += this.bytes.toString('utf8', this.#outlinedTo, end);
    this.#outlinedTo = end;
  }

  #startPart(): void {
    this.#origins.push({ outlineStart: this.#outline.length, byteStart: this.#outlinedTo });
  }

  #markOf(text: string): string {
    return MARK + String(this.#texts.push(text) - 1);
  }

  async #parse(): Promise<unknown> {
    try {
      return JSON.parse(this.#outline, (_key, value: unknown) =>
        typeof value === 'string' && value.startsWith(MARK)
          ? this.#texts[Number(value.slice(MARK.length))]
          : value,
      );
    } catch (error) {
      const position = positionOf(error);
      if (position === undefined) throw malformed();
      const { outlineStart, byteStart } = this.#origins.findLast((each) => each.outlineStart <= position)!;
      const passed = Buffer.byteLength(this.#outline.slice(outlineStart, position));
      throw await this.#malformedAt(byteStart + passed);
    }
  }

  /** @param start after the opening quote @param end before the closing quote */
  async #decodeString(start: number, end: number): Promise<string> {
    let text = '';
    for (let at = start; at < end;) {
      const sliceEnd = end - at <= SLICE_BYTES ? end : this.#wholeEnd(at, at + SLICE_BYTES);
      const slice = this.bytes.toString('utf8', at, sliceEnd);
      try {
        text += JSON.parse(`"${slice}"`) as string;
      } catch (error) {
        const position = positionOf(error);
        if (position === undefined) throw malformed();
        throw await this.#malformedAt(at + Buffer.byteLength(slice.slice(0, position - 1)));
      }
      at = sliceEnd;
      if (at < end) await nextTurn();
    }
    return text;
  }

  /** The last index up to `end` that cuts neither a character nor an escape. */
  #wholeEnd(start: number, end: number): number {
    const whole = characterStart(this.bytes, end);
    // The longest escape is `\u` with four digits.
    const backslash = this.bytes.subarray(start, whole).lastIndexOf(BACKSLASH);
    if (backslash < 0 || start + backslash < whole - 5) return whole;
    let runStart = start + backslash;
    while (runStart > start && this.bytes[runStart - 1] === BACKSLASH) runStart -= 1;
    const beginsEscape = (start + backslash - runStart) % 2 === 0;
    return beginsEscape ? start + backslash : whole;
  }

  async #malformedAt(end: number): Promise<Error> {
    const place = new Place();
    for (let start = 0; start < end; start += SLICE_BYTES) {
      place.pass(this.bytes.subarray(start, Math.min(start + SLICE_BYTES, end)));
      await nextTurn();
    }
    return malformed(place);
  }
}
