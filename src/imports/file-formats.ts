import { quote } from '../problem-details/problem.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { consistsOf, malformed } from './csv-records.js';
import { FINGERPRINT } from './fingerprint.js';
import {
  CsvFormat,
  faultsOfColumns,
  fieldsOf,
  type ImportFormat,
  InvalidPost,
  nameText,
  readJsonLine,
  type ReadPost,
  toPost,
} from './import-formats.js';
import { adviceOnDate, fromSpreadsheetCell, toApiDate } from './spreadsheet-cells.js';

/*
 * Files as people make them: exports of the site that return, spreadsheets, and exports of other programs. What can be
 * read in one way only is accepted; all else is a fault with a sentence.
 */

/** One post per line. */
export const ndjsonFile: ImportFormat = {
  isReadable: true,
  read(line, now) {
    const { [FINGERPRINT]: fingerprint, ...fields } = readJsonLine(line);
    return { ...toPost(fields, now), fingerprint: textOrUndefined(fingerprint) };
  },
};

/** CSV. Rows and columns without content are ignored. */
export class CsvFile extends CsvFormat {
  /** The columns without a name whose content was reported. */
  readonly #reported = new Set<number>();

  constructor(
    private readonly delimiter: string,
    lineEnd: string,
    private readonly encoding: string,
  ) {
    super(delimiter, lineEnd);
  }

  protected override undecodable(record: Buffer): string {
    const [before = ''] = record.toString().split('\ufffd', 1);
    return `The row has bytes that are not ${this.encoding}, the encoding of the file, after “${before.slice(-30)}”.`;
  }

  protected override readHeader(cells: readonly Buffer[]): readonly string[] | undefined {
    if (cells.every(isEmpty)) return undefined;
    const columns = cells.map((cell) => columnName(nameText(cell)));
    const nameOf = (index: number): string =>
      `Column ${index + 1}, “${quote(nameText(cells[index]!).trim())}”,`;
    const faults = faultsOfColumns(columns, ['', FINGERPRINT], nameOf);
    if (faults.length > 0) throw new InvalidRequest(faults);
    this.isReadable = true;
    return columns;
  }

  protected override readRow(
    columns: readonly string[],
    cells: readonly Buffer[],
    now: string,
  ): ReadPost | undefined {
    if (cells.every(isEmpty)) return undefined;
    const width = columns.findLastIndex((name) => name !== '') + 1;
    if (cells.length < width)
      throw malformed(
        `The row has ${cells.length === 1 ? '1 cell' : `${cells.length} cells`}; the header names ${width} columns.`,
      );
    this.#refuseUnnamed(columns, cells);
    const { [FINGERPRINT]: found, ...fields } = fieldsOf(columns, cells);
    const fingerprint = textOrUndefined(found);
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'pub_date') fields[name] = toApiDate(String(value));
      else if (fingerprint !== undefined) fields[name] = fromSpreadsheetCell(String(value));
    }
    try {
      return { ...toPost(fields, now), fingerprint };
    } catch (error) {
      throw error instanceof InvalidPost ? withAdvice(error) : error;
    }
  }

  /** Content may be in named columns only. @throws InvalidRequest, for each column without a name once */
  #refuseUnnamed(columns: readonly string[], cells: readonly Buffer[]): void {
    const index = cells.findIndex(
      (cell, place) => (columns[place] ?? '') === '' && !this.#reported.has(place) && !isEmpty(cell),
    );
    if (index < 0) return;
    const content = `“${quote(cells[index]!.toString())}”`;
    if (index >= columns.length)
      throw malformed(
        `The row has ${cells.length} cells, the header ${columns.length}. Cell ${index + 1} is ${content}. ` +
          `A text with “${this.delimiter}” must be in quotes.`,
      );
    this.#reported.add(index);
    throw malformed(
      `Column ${index + 1} has content, such as ${content}, but no name in the header. Name the column, or delete it` +
        (index === 0 ? ' (pandas writes none with index=False).' : '.'),
    );
  }
}

function isEmpty(cell: Buffer): boolean {
  return consistsOf(0x20, cell, 0);
}

/** `Pub Date` names the column pub_date. */
export function columnName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

function withAdvice(error: InvalidPost): InvalidPost {
  const faults = error.errors!.map((fault) =>
    fault.code === 'not_a_date'
      ? { ...fault, detail: adviceOnDate(String(error.fields['pub_date'])) }
      : fault,
  );
  return new InvalidPost(faults, error.fields);
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
