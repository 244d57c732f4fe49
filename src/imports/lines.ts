import { ByteCollector } from '../http/request/byte-collector.js';

/** A line without its line feed, as {@link LineEnds} defines it. */
export interface Line {
  /** Starts at 1 and counts line feeds. */
  readonly number: number;
  readonly bytes: Buffer;
}

export const LINE_FEED = 0x0a;

export function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}

export interface LineLimits {
  readonly maxLineBytes: number;
  readonly tooLong: () => Error;
  /**
   * Called with the change in held bytes, negative when fewer are held. Held are the bytes of a line that continues
   * from an earlier chunk, until the next line is requested.
   */
  readonly hold?: ((bytes: number) => void) | undefined;
}

export interface LineEnds {
  /**
   * The index of the line feed that ends the current line, searched from `from`; -1 when the chunk does not contain it.
   */
  find(chunk: Buffer, from: number): number;
  /** Call when the input ends within a line. */
  finish(): void;
  /** The number of line feeds in the last line found, including the one that ends it. */
  readonly lineFeeds: number;
}

const EVERY_LINE_FEED: LineEnds = {
  find: (chunk, from) => chunk.indexOf(LINE_FEED, from),
  finish: () => undefined,
  lineFeeds: 1,
};

/** Splits bytes into lines and holds one line at a time. */
export class LineSplitter {
  #number = 1;
  #begun = new ByteCollector();

  constructor(
    private readonly limits: LineLimits,
    private readonly ends: LineEnds = EVERY_LINE_FEED,
  ) {}

  *linesIn(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = this.ends.find(chunk, 0); end >= 0; end = this.ends.find(chunk, start)) {
      yield* this.#endLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#begin(chunk.subarray(start));
  }

  /** The last line, when no line feed ends it. Call after the last chunk. */
  *rest(): Generator<Line> {
    if (this.#begun.length === 0) return;
    this.ends.finish();
    yield* this.#endLine(Buffer.of());
  }

  #begin(bytes: Buffer): void {
    this.#assertFits(bytes.length);
    this.limits.hold?.(bytes.length);
    this.#begun.add(bytes);
  }

  *#endLine(last: Buffer): Generator<Line> {
    this.#assertFits(last.length);
    const number = this.#number;
    this.#number += this.ends.lineFeeds;
    if (this.#begun.length === 0) {
      yield { number, bytes: last };
      return;
    }
    this.limits.hold?.(last.length);
    this.#begun.add(last);
    const bytes = this.#begun.toBuffer();
    this.#begun = new ByteCollector();
    yield { number, bytes };
    this.limits.hold?.(-bytes.length);
  }

  #assertFits(bytes: number): void {
    if (this.#begun.length + bytes > this.limits.maxLineBytes) throw this.limits.tooLong();
  }
}
