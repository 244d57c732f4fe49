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

export interface LineRules {
  readonly maxLineBytes?: number;
  /** The index of the line feed that ends the current line, searched from `from`; -1 when the chunk does not have it. */
  readonly findEnd?: ((chunk: Buffer, from: number) => number) | undefined;
  /** Holds the bytes of a line that continues from an earlier chunk, until the next line is requested. */
  readonly memory?: Pick<BodyShare, 'hold'> | undefined;
}

/** Splits chunks into lines, and holds one line at a time. */
export class LineSplitter {
  /** The number of the next line. */
  #number = 1;
  /** The line that continues from an earlier chunk. */
  #begun = new ByteCollector();

  constructor(private readonly rules: LineRules = {}) {}

  /** The lines that end in the chunk. @throws BodyTooLarge @throws TooManyBodies */
  *linesIn(chunk: Buffer): Generator<Line> {
    const { findEnd = indexOfLineFeed, maxLineBytes = Infinity, memory } = this.rules;
    for (let at = 0, end = 0; ; at = end + 1) {
      end = findEnd(chunk, at);
      const part = chunk.subarray(at, end < 0 ? chunk.length : end);
      if (this.#begun.length + part.length > maxLineBytes) throw new BodyTooLarge(maxLineBytes);
      const isHeld = this.#begun.length > 0 || end < 0;
      if (isHeld && part.length > 0) {
        memory?.hold(part.length);
        this.#begun.add(part);
      }
      if (end < 0) return;
      if (isHeld) yield* this.rest();
      else yield this.#endLine(part);
    }
  }

  /** The last line, when no line feed ends it. Call after the last chunk. */
  *rest(): Generator<Line> {
    const bytes = this.#begun.toBuffer();
    if (bytes.length === 0) return;
    this.#begun = new ByteCollector();
    yield this.#endLine(bytes);
    this.rules.memory?.hold(-bytes.length);
  }

  #endLine(bytes: Buffer): Line {
    const number = this.#number;
    this.#number += 1 + (this.rules.findEnd ? lineFeedsIn(bytes) : 0);
    return { number, bytes };
  }
}

function indexOfLineFeed(chunk: Buffer, from: number): number {
  return chunk.indexOf(LINE_FEED, from);
}

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
