import { isUtf8 } from 'node:buffer';
import { decodeJsonBody, rulesOf } from '../input/index.js';
import { type Steps, utf8Pieces } from '../text/steps.js';
import { CreatePostDto } from '../posts/dto/post.dto.js';
import { LIST_FIELDS } from '../posts/lists/list-fields.js';
import { type InputFault, InvalidRequest } from '../problem-details/index.js';
import { pointerTo } from '../text/quotations.js';
import { csvRecordEnds, malformed, readCsvRecord } from './csv-records.js';

/** The fields of a post, as a line has them. */
export type LineFields = Record<string, unknown>;

/** How the lines of a file are read. */
export interface ImportFormat {
  /** Whether posts can be read: false before a header, and after one with faults. */
  readonly isReadable: boolean;
  /** Finds the ends of lines; by default every line feed. */
  readonly findEnd?: (chunk: Buffer, from: number) => number;
  /**
   * @returns undefined for a header, and for a row without content
   * @throws InvalidRequest for a header, too
   */
  read(line: Buffer): Steps<LineFields | undefined>;
}

const COMMA = 0x2c;

/** One post per line. */
export const ndjson: ImportFormat = {
  isReadable: true,
  *read(line) {
    try {
      return yield* decodeJsonBody(line);
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      const endsWithComma = line.subarray(-2).includes(COMMA);
      const advice = endsWithComma ? ' It ends with a comma; nothing may stand between the lines.' : '';
      // A line is a body of its own to the reader, but one of its fields has the name `body`, too.
      throw new InvalidRequest(
        error.errors!.map((fault) => ({
          ...fault,
          detail: fault.detail.replace('The body', 'The line') + advice,
        })),
      );
    }
  },
};

/** Longer than any column's name and than the 100 characters that a fault quotes. */
const MAX_NAME_LENGTH = 512;
const { fields: FIELDS, optional: OPTIONAL } = rulesOf(CreatePostDto);
const REQUIRED = FIELDS.filter((field) => !OPTIONAL.has(field));

/**
 * CSV as the API reads it: exact. One post per record, with the columns of the export in any order. The first record
 * names the columns.
 */
export class CsvFormat implements ImportFormat {
  /** Undefined before the header. */
  columns: readonly string[] | undefined;
  readonly findEnd: (chunk: Buffer, from: number) => number;
  readonly #delimiter: number;

  /** @param encoding of the file, for faults; its lines were converted to UTF-8 */
  constructor(
    delimiter = ',',
    private readonly encoding = 'UTF-8',
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.findEnd = csvRecordEnds(this.#delimiter);
  }

  get isReadable(): boolean {
    return this.columns !== undefined;
  }

  *read(line: Buffer): Steps<LineFields | undefined> {
    const cells = yield* this.readCells(line, this.#delimiter);
    if (!isUtf8(line)) {
      const before = textBeforeFault(line);
      const detail = `The record has bytes that are not ${this.encoding}, after “${before.slice(-30)}”.`;
      throw new InvalidRequest([{ detail, code: 'not_utf8', pointer: '' }]);
    }
    if (this.columns) return yield* this.readRow(this.columns, cells);
    this.columns = this.readHeader(cells.map((cell) => cell.slice(0, MAX_NAME_LENGTH)));
    return undefined;
  }

  /** @throws InvalidRequest */
  protected readCells(record: Buffer, delimiter: number): Steps<readonly string[]> {
    return readCsvRecord(record, delimiter, this.columns);
  }

  /** @returns the names of the columns; undefined for a row before the header @throws InvalidRequest */
  protected readHeader(cells: readonly string[]): readonly string[] | undefined {
    const faults = faultsOfColumns(cells);
    if (faults.length > 0) throw new InvalidRequest(faults);
    return cells;
  }

  /** @returns undefined for a row without content @throws InvalidRequest */
  // oxlint-disable-next-line require-yield -- that of a file yields
  protected *readRow(columns: readonly string[], cells: readonly string[]): Steps<LineFields | undefined> {
    if (cells.length !== columns.length)
      throw malformed(
        `The number of cells is ${cells.length}; it must be that of the header, ${columns.length}.`,
      );
    return fieldsOf(columns, cells);
  }
}

/** The text before the first bytes of a line that are not UTF-8; of a long line, the last part of that text. */
function textBeforeFault(line: Buffer): string {
  for (const piece of utf8Pieces(line)) if (!isUtf8(piece)) return piece.toString().split('\ufffd', 1)[0]!;
  return '';
}

/** An empty cell of these columns means that the field is absent, as in a form. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([...OPTIONAL, 'etag']);

/** The fields of a record. A column may lack a name. */
export function fieldsOf(columns: readonly string[], cells: readonly string[]): LineFields {
  const fields: LineFields = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (column !== '' && (cell !== '' || !MAY_BE_EMPTY.has(column))) fields[column] = cell;
  }
  return fields;
}

/**
 * @param others names that are allowed besides those of the fields
 * @param nameOf how a fault names an unknown column
 */
export function faultsOfColumns(
  columns: readonly string[],
  others: readonly string[] = [],
  nameOf: (index: number) => string = () => 'The column',
): InputFault[] {
  const known: readonly string[] = LIST_FIELDS;
  const faults: InputFault[] = [];
  const names = new Set<string>();
  for (const [index, column] of columns.entries()) {
    const pointer = pointerTo(column);
    if (column !== '' && names.has(column))
      faults.push({ detail: 'The column may occur only once.', code: 'repeated', pointer });
    else if (column === '' && !others.includes(column))
      faults.push({ detail: `Column ${index + 1} has no name.`, code: 'blank', pointer });
    else if (!known.includes(column) && !others.includes(column)) {
      const detail = `${nameOf(index)} is not known; known are ${known.join(', ')}.`;
      faults.push({ detail, code: 'unknown_field', pointer });
    }
    names.add(column);
  }
  for (const column of REQUIRED) {
    if (!names.has(column))
      faults.push({ detail: 'The column is required.', code: 'required', pointer: pointerTo(column) });
  }
  return faults;
}
