import { LINE_FEED } from './lines.js';

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

/** Further cells of a record are only counted. */
const MAX_CELLS = 101;

const TEXT_AFTER_QUOTE = 'After the closing quote of a cell, only a comma or the end of the line is allowed.';
const STRAY_QUOTE = 'A cell with a quote must be quoted, and the quote doubled.';
const STRAY_CARRIAGE_RETURN = 'A cell with a carriage return must be quoted.';
const UNCLOSED_QUOTE = 'The quote that opens the cell is never closed.';

/** A record of CSV (RFC 4180). */
export interface CsvRecord {
  /** The bytes of the first {@link MAX_CELLS} cells. */
  readonly cells: readonly Buffer[];
  readonly cellCount: number;
  /** The first fault; the cells after it are not read. */
  readonly fault: { readonly detail: string; readonly cell: number } | undefined;
}

/**
 * Returns a function that finds the line feed that ends a record, in chunk after chunk. Quoted cells may contain line
 * ends. After a stray quote, the record ends with its line, so that the next one can be read.
 */
export function csvRecordEnds(delimiter: number): (chunk: Buffer, from: number) => number {
  /** Quotes open a cell only at its start. */
  let isAtStart = true;
  let isQuoted = false;
  /** A quote in a quoted cell closes it, or is the first of two. */
  let isAfterQuote = false;
  return (chunk, from) => {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (isQuoted) {
        isAfterQuote = byte === QUOTE;
        isQuoted = !isAfterQuote;
        continue;
      }
      isQuoted = byte === QUOTE && (isAtStart || isAfterQuote);
      isAfterQuote = false;
      isAtStart = byte === delimiter || byte === LINE_FEED;
      if (byte === LINE_FEED) return at;
    }
    return -1;
  };
}

/** Reads the cells of a record without its line feed. */
export function readCsvRecord(record: Buffer, delimiter: number): CsvRecord {
  const bytes = record.at(-1) === CARRIAGE_RETURN ? record.subarray(0, -1) : record;
  const cells: Buffer[] = [];
  let cellCount = 0;
  for (let at = 0; at <= bytes.length; cellCount += 1) {
    const cell = bytes[at] === QUOTE ? quotedCell(bytes, at, delimiter) : plainCell(bytes, at, delimiter);
    if ('fault' in cell) return { cells, cellCount, fault: { detail: cell.fault, cell: cellCount } };
    if (cellCount < MAX_CELLS) cells.push(cell.content);
    at = cell.end + 1;
  }
  return { cells, cellCount, fault: undefined };
}

/** A cell that ends before the byte `end`. */
type Cell = { readonly content: Buffer; readonly end: number } | { readonly fault: string };

function plainCell(bytes: Buffer, start: number, delimiter: number): Cell {
  const found = bytes.indexOf(delimiter, start);
  const end = found < 0 ? bytes.length : found;
  const content = bytes.subarray(start, end);
  if (content.includes(QUOTE)) return { fault: STRAY_QUOTE };
  if (content.includes(CARRIAGE_RETURN)) return { fault: STRAY_CARRIAGE_RETURN };
  return { content, end };
}

/** Doubled quotes become single ones. (`replaceAll` on 32 MiB of quotes makes a string that V8 takes seconds to scan.) */
function quotedCell(bytes: Buffer, start: number, delimiter: number): Cell {
  const content = Buffer.allocUnsafe(bytes.length - start);
  let length = 0;
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at += 1;
      if (at === bytes.length || bytes[at] === delimiter)
        return { content: content.subarray(0, length), end: at };
      if (bytes[at] !== QUOTE) return { fault: TEXT_AFTER_QUOTE };
    }
    content[length] = byte;
    length += 1;
  }
  return { fault: UNCLOSED_QUOTE };
}
