import type { Steps } from '../text/steps.js';
import { InvalidRequest } from '../problem-details/index.js';
import { quote } from '../text/quotations.js';
import { malformed, readCsvRecord, readLiteralRecord, withoutLineEnd } from './csv-records.js';
import { FINGERPRINT } from './fingerprint.js';
import { CsvFormat, faultsOfColumns, fieldsOf, type LineFields } from './import-formats.js';
import { LINE_FEED } from './lines.js';
import { fromSpreadsheetCell, toApiDate } from './spreadsheet-cells.js';

/*
 * Files as people make them: exports of the site that return, spreadsheets, and exports of other programs. What can be
 * read in one way only is accepted; all else is a fault with a sentence.
 */

/** CSV. Rows and columns without content are ignored, and a second carriage return at the end of a line. */
export class CsvFile extends CsvFormat {
  protected override readCells(record: Buffer, delimiter: number): Steps<readonly string[]> {
    return readCsvRecord(withoutLineEnd(record), delimiter, this.columns);
  }

  protected override readHeader(cells: readonly string[]): readonly string[] | undefined {
    if (cells.every(isEmpty)) return undefined;
    const columns = cells.map(columnName);
    const nameOf = (index: number): string => `Column ${index + 1}, “${quote(cells[index]!.trim())}”,`;
    const faults = faultsOfColumns(columns, ['', FINGERPRINT], nameOf);
    if (faults.length > 0) throw new InvalidRequest(faults);
    return columns;
  }

  protected override *readRow(
    columns: readonly string[],
    cells: readonly string[],
  ): Steps<LineFields | undefined> {
    if (cells.every(isEmpty)) return undefined;
    const width = columns.findLastIndex((name) => name !== '') + 1;
    if (cells.length < width)
      throw malformed(`The row has fewer cells (${cells.length}) than the header has names (${width}).`);
    const unnamed = cells.findIndex((cell, index) => (columns[index] ?? '') === '' && !isEmpty(cell));
    if (unnamed >= 0)
      throw malformed(
        `Cell ${unnamed + 1} is “${quote(cells[unnamed]!)}”, but the header has no name for its column. ` +
          'Name the column, or delete it. A text with the character that separates cells must be in quotes.',
      );
    const fields = fieldsOf(columns, cells);
    const isExport = (fields[FINGERPRINT] ?? '') !== '';
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'pub_date') fields[name] = toApiDate(String(value));
      else if (isExport) fields[name] = yield* fromSpreadsheetCell(String(value));
    }
    return fields;
  }
}

/** Cells between tabs, whose quotes are letters. */
export class LiteralTsvFile extends CsvFile {
  override readonly findEnd = (chunk: Buffer, from: number): number => chunk.indexOf(LINE_FEED, from);

  constructor(encoding: string) {
    super('\t', encoding);
  }

  protected override readCells(record: Buffer): Steps<readonly string[]> {
    return readLiteralRecord(record);
  }
}

function isEmpty(cell: string): boolean {
  return cell.trim() === '';
}

/** `Pub Date` names the column pub_date. */
export function columnName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
