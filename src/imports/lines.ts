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

/** Splits chunks into lines, holds one line at a time, and skips blank lines, which have only JSON white space. */
export class LineSplitter {
  /** The number of the next line. */
  number = 1;
  /** The bytes of the lines so far, line feeds included. */
  blankBytes = 0;
  otherBytes = 0;
  /** The line that continues from an earlier chunk. */
  #begun = new ByteCollector();

  constructor(private readonly rules: LineRules = {}) {}

  /** The lines that end in the chunk. @throws BodyTooLarge @throws TooManyBodies */
  *linesIn(chunk: Buffer): Generator<Line> {
    const { findEnd = indexOfLineFeed, maxLineBytes = Infinity } = this.rules;
    for (let at = 0, end = 0; ; at = end + 1) {
      if (this.#begun.length === 0) at = this.#skipBlankLines(chunk, at);
      end = findEnd(chunk, at);
      const part = chunk.subarray(at, end < 0 ? chunk.length : end);
      if (this.#begun.length + part.length > maxLineBytes) throw new BodyTooLarge(maxLineBytes);
      const isHeld = this.#begun.length > 0 || end < 0;
      if (isHeld && part.length > 0) this.#begin(part);
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
    if (bytes.every(isBlank)) {
      this.number += 1;
      this.blankBytes += bytes.length + 1;
    } else {
      yield this.#endLine(bytes);
    }
    this.rules.memory?.hold(-bytes.length);
  }

  /** Takes a nanosecond a line. @returns where the first other line starts */
  #skipBlankLines(chunk: Buffer, from: number): number {
    let start = from;
    for (let at = from; at < chunk.length && isBlank(chunk[at]!); at += 1) {
      if (chunk[at] !== LINE_FEED) continue;
      start = at + 1;
      this.number += 1;
    }
    this.blankBytes += start - from;
    return start;
  }

  #begin(bytes: Buffer): void {
    this.rules.memory?.hold(bytes.length);
    this.#begun.add(bytes);
  }

  #endLine(bytes: Buffer): Line {
    const { number } = this;
    this.number += 1 + (this.rules.findEnd ? lineFeedsIn(bytes) : 0);
    this.otherBytes += bytes.length + 1;
    return { number, bytes };
  }
}

function indexOfLineFeed(chunk: Buffer, from: number): number {
  return chunk.indexOf(LINE_FEED, from);
}

/** Whether it is JSON white space. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
