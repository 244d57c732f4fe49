import type { BodyShare } from '../http/request/body-shares.js';
import { ByteCollector } from '../http/request/byte-collector.js';
import { BodyTooLarge } from '../problem-details/problems.js';

/** A line without its line feed. */
export interface Line {
  /** Starts at 1 and counts line feeds, also those within a record of CSV. */
  readonly number: number;
  readonly bytes: Buffer;
}

export const LINE_FEED = 0x0a;

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

export interface LineRules {
  readonly maxLineBytes?: number;
  /** The index of the line feed that ends the current line, searched from `from`; -1 when the chunk does not have it. */
  readonly findEnd?: ((chunk: Buffer, from: number) => number) | undefined;
  /** Holds the bytes of a line that continues from an earlier chunk, until the next line is requested. */
  readonly memory?: Pick<BodyShare, 'hold'> | undefined;
}

/** Splits bytes into lines and holds one line at a time. @throws BodyTooLarge @throws TooManyBodies */
export class LineSplitter {
  #number = 1;
  #begun = new ByteCollector();

  constructor(private readonly rules: LineRules = {}) {}

  *linesIn(chunk: Buffer): Generator<Line> {
    const { findEnd = (bytes, from) => bytes.indexOf(LINE_FEED, from) } = this.rules;
    let start = 0;
    for (let end = findEnd(chunk, 0); end >= 0; end = findEnd(chunk, start)) {
      yield* this.#endLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  /** The last line, when no line feed ends it. Call after the last chunk. */
  *rest(): Generator<Line> {
    if (this.#begun.length > 0) yield* this.#endLine(Buffer.of());
  }

  #begin(bytes: Buffer): void {
    this.#assertFits(bytes);
    this.rules.memory?.hold(bytes.length);
    this.#begun.add(bytes);
  }

  *#endLine(last: Buffer): Generator<Line> {
    const isHeld = this.#begun.length > 0;
    if (isHeld) this.#begin(last);
    else this.#assertFits(last);
    const bytes = isHeld ? this.#begun.toBuffer() : last;
    if (isHeld) this.#begun = new ByteCollector();
    const number = this.#number;
    this.#number += 1 + (this.rules.findEnd ? lineFeedsIn(bytes) : 0);
    yield { number, bytes };
    if (isHeld) this.rules.memory?.hold(-bytes.length);
  }

  #assertFits({ length }: Buffer): void {
    const { maxLineBytes = Infinity } = this.rules;
    if (this.#begun.length + length > maxLineBytes) throw new BodyTooLarge(maxLineBytes);
  }
}
