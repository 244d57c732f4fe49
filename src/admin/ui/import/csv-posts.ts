import { NDJSON_TYPE } from '../../../http/protocol/media-type.js';
import type { CsvFault } from '../csv/csv-reader.js';
import { withoutApostrophe } from '../csv/csv-row.js';
import { type Field, FIELD, FIELDS } from '../api/posts.js';
import type { ColumnMapping } from './column-mapping.js';
import { type CsvFormat, csvRows } from './csv-file.js';
import { type DateFormat, readDate } from './dates.js';

/** The most faults that are reported. */
export const MAX_FAULTS = 1_000;

/** The number of characters to collect before they go into a Blob, outside the page's memory. */
const PIECE_CHARACTERS = 1 << 20;

export interface CsvImport extends CsvFormat {
  readonly hasHeader: boolean;
  readonly mapping: ColumnMapping;
  readonly dates: DateFormat;
  /** Removes the apostrophe that this site's export puts before a formula. */
  readonly undoesApostrophes: boolean;
}

/** A fault of a line of the file. */
export interface ImportFault {
  readonly line: number;
  /** The field, if the fault concerns only one. */
  readonly field?: string;
  readonly reason:
    | CsvFault
    | { readonly cells: number; readonly expected: number }
    | { readonly date: string }
    | { readonly detail: string };
}

/** Posts in the service's format, with a mapping to the lines of the file. */
export interface PostLines {
  readonly body: Blob;
  readonly count: number;
  /** Faults of the rows themselves; with any fault, nothing must be imported. */
  readonly faults: readonly ImportFault[];
  /** Maps a line of `body` to its line of the file, both from 1. */
  readonly lineOf: (bodyLine: number) => number;
}

/**
 * Converts each row of a CSV file to a line of NDJSON. The lines go into a Blob in chunks. Browsers keep a large Blob
 * on disk.
 *
 * @throws WrongEncoding; or the signal's reason
 */
export async function csvToPostLines(
  file: Blob,
  options: CsvImport,
  { onRead, signal }: { onRead?: (bytes: number) => void; signal?: AbortSignal } = {},
): Promise<PostLines> {
  const pieces: Blob[] = [];
  const lines: number[] = [];
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
  return { body, count: lines.length, faults, lineOf: (line) => lines[line - 1] ?? 0 };
}

/** Maps the service's faults from lines of the request to lines of the file. */
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

/** Reports a row with too few or too many cells. Empty cells after the last column are ignored. */
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
    // The service sets a missing date.
  }
  return post;
}
