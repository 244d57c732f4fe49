import type { CsvFault } from '../csv/csv-reader.js';
import { withoutApostrophe } from '../csv/csv-row.js';
import { type Field, FIELD, FIELDS } from '../api/posts.js';
import type { ColumnMapping } from './column-mapping.js';
import { type CsvFormat, csvRows } from './csv-file.js';
import { type DateFormat, readDate } from './dates.js';

export const NDJSON_TYPE = 'application/x-ndjson';

/** As many faults as are told of at once. */
export const MAX_FAULTS = 1_000;

/** So many characters are gathered before the browser takes them out of the page's memory. */
const PIECE_CHARACTERS = 1 << 20;

export interface CsvImport extends CsvFormat {
  readonly hasHeader: boolean;
  readonly mapping: ColumnMapping;
  readonly dates: DateFormat;
  /** Takes away the apostrophe that an export of this site puts before what a spreadsheet would run. */
  readonly undoesApostrophes: boolean;
}

/** What is wrong with a line of a file. */
export interface ImportFault {
  readonly line: number;
  /** What of the post is wrong, when it is one field. */
  readonly field?: string;
  readonly reason:
    | CsvFault
    | { readonly cells: number; readonly expected: number }
    | { readonly date: string }
    | { readonly detail: string };
}

/** Posts as the service takes them, and the way back to the file that they came from. */
export interface PostLines {
  readonly body: Blob;
  readonly count: number;
  /** What is wrong with the rows themselves; when there is something, nothing is to be imported. */
  readonly faults: readonly ImportFault[];
  /** The line of the file that a line of `body` was made of, both from 1. */
  readonly lineOf: (bodyLine: number) => number;
}

/**
 * Makes each row of a CSV file a line of NDJSON. The lines go into a Blob piece by piece, which browsers keep on disk
 * when it is large.
 *
 * @throws WrongEncoding; or the signal's reason
 */
export async function csvToPostLines(
  file: Blob,
  options: CsvImport,
  { onRead, signal }: { onRead?: (bytes: number) => void; signal?: AbortSignal } = {},
): Promise<PostLines> {
  const pieces: Blob[] = [];
  const lines = new LineNumbers();
  const faults: ImportFault[] = [];
  let piece = '';
  let columns: number | undefined;
  for await (const row of csvRows(file, options, onRead)) {
    signal?.throwIfAborted();
    const isHeader = columns === undefined && options.hasHeader;
    columns ??= row.cells.length;
    const reason = row.fault ?? cellsFault(row.cells, columns);
    const fault = (found: Omit<ImportFault, 'line'>): void => {
      if (faults.length < MAX_FAULTS) faults.push({ line: row.line, ...found });
    };
    if (reason !== undefined) fault({ reason });
    if (isHeader || reason !== undefined) continue;
    lines.push(row.line);
    piece += `${JSON.stringify(toPost(row.cells, options, fault))}\n`;
    if (piece.length >= PIECE_CHARACTERS) {
      pieces.push(new Blob([piece]));
      piece = '';
    }
  }
  const body = new Blob([...pieces, piece], { type: NDJSON_TYPE });
  return { body, count: lines.length, faults, lineOf: (line) => lines.at(line - 1) };
}

/** What the service says of the lines that it was sent, in the lines of the file. */
export function serviceFaults(
  faults: readonly { line?: number; pointer?: string; detail: string }[],
  lineOf: (bodyLine: number) => number,
): ImportFault[] {
  return faults.map(({ line = 0, pointer, detail }) => ({
    line: lineOf(line),
    ...(pointer?.startsWith('/') && { field: pointer.slice(1) }),
    reason: { detail },
  }));
}

/** A row that is cut off, or has a delimiter that should not be one. Empty cells behind the last column mean nothing. */
function cellsFault(cells: readonly string[], expected: number): ImportFault['reason'] | undefined {
  const isOther = cells.length < expected || cells.slice(expected).some((cell) => cell !== '');
  return isOther ? { cells: cells.length, expected } : undefined;
}

function toPost(
  cells: readonly string[],
  { mapping, undoesApostrophes, dates }: CsvImport,
  onFault: (fault: Omit<ImportFault, 'line'>) => void,
): Partial<Record<Field, string>> {
  const post: Partial<Record<Field, string>> = {};
  for (const field of FIELDS) {
    const column = mapping[field];
    const cell = column === undefined ? '' : (cells[column] ?? '');
    if (FIELD[field].kind !== 'moment') {
      post[field] = undoesApostrophes ? withoutApostrophe(cell) : cell;
    } else if (cell.trim() !== '') {
      const date = readDate(cell, dates);
      if (date === undefined) onFault({ field, reason: { date: cell } });
      else post[field] = date;
    }
    // The service dates what has no date.
  }
  return post;
}

/** Line numbers of a long file, four bytes each. */
class LineNumbers {
  #numbers = new Uint32Array(1024);
  length = 0;

  push(line: number): void {
    if (this.length === this.#numbers.length) {
      const more = new Uint32Array(2 * this.length);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.length++] = line;
  }

  at(index: number): number {
    return this.#numbers[index] ?? 0;
  }
}
