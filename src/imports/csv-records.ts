import { InvalidRequest } from '../problem-details/index.js';
import { pointerTo } from '../text/quotations.js';
import { decodeUtf8, PIECE_LENGTH, type Steps } from '../text/steps.js';
import { LINE_FEED } from './lines.js';

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

/** As many columns as a sheet of Excel has. Each cell costs time. */
const MAX_CELLS = 16_384;

/**
 * Returns a function that finds the byte that ends a record, in chunk after chunk. Quoted cells may contain line ends.
 * After a stray quote, the record ends with its line, so that the next one can be read.
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

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'a comma',
  ';': 'a semicolon',
  '\t': 'a tab',
};

/** A cell that ends before the byte `end`. */
interface Cell {
  readonly content: Buffer;
  readonly end: number;
}

/**
 * Reads the cells of a record of CSV (RFC 4180) without its line feed.
 *
 * @param columns name the cells in faults
 * @throws InvalidRequest with the first fault
 */
export function* readCsvRecord(
  record: Buffer,
  delimiter: number,
  columns: readonly string[] = [],
): Steps<string[]> {
  const bytes = withoutLineEnd(record, 1);
  const cells: string[] = [];
  for (let at = 0; at <= bytes.length;) {
    if (cells.length === MAX_CELLS) throw malformed(`A record has at most ${MAX_CELLS} cells.`);
    const column = columns[cells.length];
    const isQuoted = bytes[at] === QUOTE;
    const { content, end } = isQuoted
      ? yield* quotedCell(bytes, at, delimiter, column)
      : plainCell(bytes, at, delimiter, column);
    cells.push(yield* decodeUtf8(content));
    at = end + 1;
  }
  return cells;
}

/** The cells between tabs as they are: quotes are letters. */
export function* readLiteralRecord(record: Buffer): Steps<string[]> {
  const text = yield* decodeUtf8(withoutLineEnd(record));
  const cells = text.split('\t', MAX_CELLS + 1);
  if (cells.length > MAX_CELLS) throw malformed(`A record has at most ${MAX_CELLS} cells.`);
  return cells;
}

/**
 * A record without the carriage returns at its end. Python's `csv` writes two of them on Windows, if the file was not
 * opened with `newline=''`.
 */
export function withoutLineEnd(record: Buffer, most = 2): Buffer {
  let end = record.length;
  while (record.length - end < most && record[end - 1] === CARRIAGE_RETURN) end -= 1;
  return record.subarray(0, end);
}

function plainCell(bytes: Buffer, start: number, delimiter: number, column?: string): Cell {
  const found = bytes.indexOf(delimiter, start);
  const end = found < 0 ? bytes.length : found;
  const content = bytes.subarray(start, end);
  if (content.includes(QUOTE) && content.toString('latin1', 0, 64).trimStart().startsWith('"'))
    throw malformed('A space stands before the quote that opens the cell. Remove the space.', column);
  if (content.includes(QUOTE))
    throw malformed('A cell with a quote must be quoted, and the quote doubled.', column);
  if (content.includes(CARRIAGE_RETURN))
    throw malformed('A cell with a carriage return must be quoted.', column);
  return { content, end };
}

function* quotedCell(bytes: Buffer, start: number, delimiter: number, column?: string): Steps<Cell> {
  let closing = start + 1;
  for (;;) {
    closing = skipDoubledQuotes(bytes, closing, Math.min(closing + PIECE_LENGTH, bytes.length));
    if (closing >= bytes.length) throw malformed('The quote that opens the cell is never closed.', column);
    if (isSingleQuote(bytes, closing)) break;
    yield;
  }
  const end = closing + 1;
  if (end < bytes.length && bytes[end] !== delimiter) {
    const name = `${DELIMITER_NAMES[String.fromCharCode(delimiter)]} or the end of the line`;
    throw malformed(
      `After the closing quote of a cell, only ${name} is allowed. A quote within the cell must be doubled.`,
      column,
    );
  }
  return { content: yield* withSingleQuotes(bytes.subarray(start + 1, closing)), end };
}

/** Looks for a quote that is not doubled. @returns its place, or where to go on. (In a generator, the loop would be slow.) */
function skipDoubledQuotes(bytes: Buffer, from: number, end: number): number {
  let at = from;
  for (; at < end; at += 1) {
    if (bytes[at] !== QUOTE) continue;
    if (isSingleQuote(bytes, at)) return at;
    at += 1;
  }
  return at;
}

function isSingleQuote(bytes: Buffer, at: number): boolean {
  return bytes[at] === QUOTE && bytes[at + 1] !== QUOTE;
}

/** Doubled quotes become single ones. (`replaceAll` on 32 MiB of quotes makes a string that V8 takes seconds to scan.) */
function* withSingleQuotes(text: Buffer): Steps<Buffer> {
  if (!text.includes(QUOTE)) return text;
  const content = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length;) {
    if (at > 0) yield;
    // All quotes are doubled, so a second one cannot begin a piece.
    const end = skipDoubledQuotes(text, at, Math.min(at + PIECE_LENGTH, text.length));
    length = copyWithSingleQuotes(text.subarray(at, end), content, length);
    at = end;
  }
  return content.subarray(0, length);
}

/** @param length how many bytes the target has already @returns how many it has then */
function copyWithSingleQuotes(piece: Buffer, target: Buffer, length: number): number {
  let end = length;
  for (let at = 0; at < piece.length; at += 1) {
    target[end] = piece[at]!;
    end += 1;
    if (piece[at] === QUOTE) at += 1;
  }
  return end;
}

/** 400: a record is not what its file's format says. */
export function malformed(detail: string, column?: string): InvalidRequest {
  const pointer = column ? pointerTo(column) : '';
  return new InvalidRequest([{ detail, code: 'malformed_csv', pointer }]);
}
