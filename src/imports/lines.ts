import { ByteCollector } from '../text/byte-collector.js';
import type { ImportBody } from './import-request.js';
import { BodyTooLarge } from '../problem-details/index.js';

/** A line without the byte that ends it, or a record of CSV. */
export interface Line {
  /** Starts at 1 and counts line feeds, also those within a record of CSV. */
  readonly number: number;
  /** Starts at 1 and counts records, as a spreadsheet does. */
  readonly row: number;
  readonly bytes: Buffer;
}

export const LINE_FEED = 0x0a;

export interface LineRules {
  readonly maxLineBytes?: number;
  /** The index of the byte that ends the current line, searched from `from`; -1 when the chunk does not have it. */
  readonly findEnd?: ((chunk: Buffer, from: number) => number) | undefined;
  /** Holds the bytes of a line until the next one is requested. */
  readonly memory?: ImportBody['share'];
}

const nextLineFeed = (chunk: Buffer, from: number): number => chunk.indexOf(LINE_FEED, from);

/**
 * Splits chunks into lines, and holds one line at a time. The lines of a chunk come together, because one promise a line
 * takes longer than reading an empty one.
 *
 * @throws BodyTooLarge, also while the lines of a chunk are read
 * @throws TooBusy
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  { findEnd = nextLineFeed, maxLineBytes = Infinity, memory }: LineRules = {},
): AsyncGenerator<Iterable<Line>> {
  let number = 1;
  let row = 0;
  let begun = new ByteCollector();
  for await (const chunk of chunks) yield linesIn(chunk);
  if (begun.length > 0) yield line();

  function* linesIn(chunk: Buffer): Generator<Line> {
    for (let start = 0, end = 0; end >= 0; start = end + 1) {
      end = findEnd(chunk, start);
      const part = chunk.subarray(start, end < 0 ? chunk.length : end);
      if (begun.length + part.length > maxLineBytes) throw new BodyTooLarge(maxLineBytes, number);
      memory?.hold(part.length);
      begun.add(part);
      if (end >= 0) yield* line();
    }
  }

  function* line(): Generator<Line> {
    const bytes = begun.toBuffer();
    begun = new ByteCollector();
    row += 1;
    yield { number, row, bytes };
    memory?.giveBack(bytes.length);
    number += 1;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) number += 1;
  }
}
