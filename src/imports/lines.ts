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
  #chunk: Buffer = Buffer.of();
  #at = 0;
  #isEnd = false;
  #number = 1;
  /** The line that continues from an earlier chunk. */
  #begun = new ByteCollector();
  #held = 0;

  /** The bytes of the lines so far, line feeds included. */
  blankBytes = 0;
  otherBytes = 0;

  constructor(private readonly rules: LineRules = {}) {}

  /** The number of the current line. */
  get number(): number {
    return this.#number;
  }

  /** Takes the next chunk, after {@link next} has returned undefined; undefined after the last chunk. */
  push(chunk: Buffer | undefined): void {
    this.#chunk = chunk ?? Buffer.of();
    this.#at = 0;
    this.#isEnd = chunk === undefined;
  }

  /** @returns undefined when another chunk is needed @throws BodyTooLarge @throws TooManyBodies */
  next(): Line | undefined {
    const { findEnd = indexOfLineFeed, maxLineBytes = Infinity } = this.rules;
    for (;;) {
      if (this.#begun.length === 0) {
        this.#hold(-this.#held);
        this.#skipBlankLines();
      }
      const end = findEnd(this.#chunk, this.#at);
      const part = this.#chunk.subarray(this.#at, end < 0 ? this.#chunk.length : end);
      this.#at += part.length + (end < 0 ? 0 : 1);
      const length = this.#begun.length + part.length;
      if (length > maxLineBytes) throw new BodyTooLarge(maxLineBytes);
      if (end < 0 && (!this.#isEnd || length === 0)) {
        if (part.length > 0) this.#begin(part);
        return undefined;
      }
      const line = this.#endLine(part);
      if (line) return line;
    }
  }

  /** Takes some nanoseconds a line. */
  #skipBlankLines(): void {
    const chunk = this.#chunk;
    let start = this.#at;
    for (let at = start; at < chunk.length && isBlank(chunk[at]!); at += 1) {
      if (chunk[at] !== LINE_FEED) continue;
      start = at + 1;
      this.#number += 1;
    }
    this.blankBytes += start - this.#at;
    this.#at = start;
  }

  #begin(bytes: Buffer): void {
    this.#hold(bytes.length);
    this.#begun.add(bytes);
  }

  /** @returns undefined for a blank line */
  #endLine(last: Buffer): Line | undefined {
    let bytes = last;
    if (this.#begun.length > 0) {
      this.#begin(last);
      bytes = this.#begun.toBuffer();
      this.#begun = new ByteCollector();
    }
    const number = this.#number;
    this.#number += 1 + (this.rules.findEnd ? lineFeedsIn(bytes) : 0);
    const isSkipped = this.#held > 0 && bytes.every(isBlank);
    if (isSkipped) this.blankBytes += bytes.length + 1;
    else this.otherBytes += bytes.length + 1;
    return isSkipped ? undefined : { number, bytes };
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    if (bytes !== 0) this.rules.memory?.hold(bytes);
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
