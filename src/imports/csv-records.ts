import { LINE_FEED, type LineEnds } from './lines.js';

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;

/** Further cells of a record are only counted. */
const MAX_CELLS = 101;

const enum State {
  CellStart,
  Plain,
  Quoted,
  /** After a quote in a quoted cell: it closes the cell, or is the first of two. */
  Quote,
  /** After a carriage return outside quotes: only a line feed may follow. */
  CarriageReturn,
}

const TEXT_AFTER_QUOTE = 'After the closing quote of a cell, only a comma or the end of the line is allowed.';
const STRAY_QUOTE = 'A cell with a quote must be quoted, and the quote doubled.';
const STRAY_CARRIAGE_RETURN = 'A cell with a carriage return must be quoted.';
const UNCLOSED_QUOTE = 'The quote that opens the cell is never closed.';

/** The position of a cell's text in the bytes of its record, without the quotes around it. */
interface CsvCell {
  readonly start: number;
  readonly end: number;
  readonly hasQuotes: boolean;
}

export interface CsvRecord {
  /** The first {@link MAX_CELLS} cells. */
  readonly cells: readonly CsvCell[];
  readonly cellCount: number;
  readonly fault: { readonly detail: string; readonly cell: number } | undefined;
}

/**
 * Finds the ends of CSV records (RFC 4180) and their structure. A record ends with CRLF or LF; quoted cells may contain
 * line ends. After a stray quote, the record ends with its line, so that the next one can be read.
 */
export class CsvRecordEnds implements LineEnds {
  lineFeeds = 0;
  record!: CsvRecord;
  readonly #delimiter: number;
  /** No larger byte has a meaning outside quotes. */
  readonly #highest: number;
  #state: State = State.CellStart;
  /** The number of bytes of the record in earlier chunks. */
  #passed = 0;
  #quotedLineFeeds = 0;
  #cells: CsvCell[] = [];
  #cellCount = 0;
  #cellStart = 0;
  /** The end of the cell, when a closing quote or a carriage return has set it. */
  #cellEnd: number | undefined;
  #hasQuotes = false;
  #fault: CsvRecord['fault'];

  constructor(delimiter = ',') {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#highest = Math.max(this.#delimiter, QUOTE);
  }

  find(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.#state === State.Quoted) {
        if (byte === QUOTE) this.#closeQuote(this.#passed + at - from);
        else if (byte === LINE_FEED) this.#quotedLineFeeds += 1;
      } else if (this.#state === State.Plain && byte > this.#highest) {
        // Most bytes are plain text. (The bytes below include the line feed, carriage return, quote and delimiter.)
      } else if (byte === LINE_FEED) {
        this.#endRecord(this.#passed + at - from);
        return at;
      } else {
        this.#step(byte, this.#passed + at - from);
      }
    }
    this.#passed += chunk.length - from;
    return -1;
  }

  finish(): void {
    if (this.#state === State.Quoted) this.#refuse(UNCLOSED_QUOTE);
    this.#endRecord(this.#passed);
  }

  /** @param at the index, in the record, of a byte that is outside quotes and does not end the line */
  #step(byte: number, at: number): void {
    const before = this.#state;
    if (before === State.CarriageReturn) this.#refuse(STRAY_CARRIAGE_RETURN);
    if (byte === this.#delimiter) {
      this.#endCell(at);
    } else if (byte === CARRIAGE_RETURN) {
      this.#cellEnd ??= at;
      this.#state = State.CarriageReturn;
    } else if (byte === QUOTE && before === State.CellStart) {
      this.#cellStart = at + 1;
      this.#state = State.Quoted;
    } else if (byte === QUOTE && before === State.Quote) {
      this.#cellEnd = undefined;
      this.#hasQuotes = true;
      this.#state = State.Quoted;
    } else {
      if (before === State.Quote) this.#refuse(TEXT_AFTER_QUOTE);
      else if (byte === QUOTE) this.#refuse(STRAY_QUOTE);
      this.#state = State.Plain;
    }
  }

  #closeQuote(at: number): void {
    this.#cellEnd = at;
    this.#state = State.Quote;
  }

  #endCell(at: number): void {
    if (this.#cellCount < MAX_CELLS) {
      this.#cells.push({ start: this.#cellStart, end: this.#cellEnd ?? at, hasQuotes: this.#hasQuotes });
    }
    this.#cellCount += 1;
    this.#cellStart = at + 1;
    this.#cellEnd = undefined;
    this.#hasQuotes = false;
    this.#state = State.CellStart;
  }

  #endRecord(at: number): void {
    this.#endCell(at);
    this.record = { cells: this.#cells, cellCount: this.#cellCount, fault: this.#fault };
    this.lineFeeds = this.#quotedLineFeeds + 1;
    this.#passed = 0;
    this.#quotedLineFeeds = 0;
    this.#cells = [];
    this.#cellCount = 0;
    this.#cellStart = 0;
    this.#fault = undefined;
  }

  #refuse(detail: string): void {
    this.#fault ??= { detail, cell: this.#cellCount };
  }
}

export function textOfCell(record: Buffer, { start, end, hasQuotes }: CsvCell): string {
  const bytes = record.subarray(start, end);
  return (hasQuotes ? withSingleQuotes(bytes) : bytes).toString();
}

/**
 * Replaces doubled quotes by single ones. (`replaceAll` on 32 MiB of quotes makes a string that V8 takes seconds to
 * scan.)
 */
function withSingleQuotes(bytes: Buffer): Buffer {
  const single = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    single[length] = byte;
    length += 1;
    if (byte === QUOTE) at += 1;
  }
  return single.subarray(0, length);
}
