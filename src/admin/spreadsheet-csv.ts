import { csvRecord } from '../posts/formats/list-representations.js';

/**
 * Characters that start a formula in spreadsheets, as OWASP lists them, including the full-width forms and the line
 * feed. See https://owasp.org/www-community/attacks/CSV_Injection. A cell may have apostrophes before them.
 */
const FORMULA_START = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A row of CSV (RFC 4180) whose cells no spreadsheet runs as formulas: an apostrophe makes them text. */
export function spreadsheetRow(cells: readonly string[]): string {
  return csvRecord(cells.map((cell) => (FORMULA_START.test(cell) ? `'${cell}` : cell)));
}

/** The text of a cell that {@link spreadsheetRow} wrote: without the apostrophe that it has added. */
export function fromSpreadsheetCell(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell;
}
