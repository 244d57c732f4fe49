/**
 * What a spreadsheet takes for the start of a formula, as OWASP lists it: the full-width forms and the line feed
 * included. See https://owasp.org/www-community/attacks/CSV_Injection.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A row of CSV (RFC 4180), with cells that no spreadsheet will run. */
export function csvRow(cells: readonly string[]): string {
  const row = cells.map((cell) => quoted(neutralised(cell))).join();
  // A line with nothing in it would be taken for no row at all.
  return row === '' ? '""\r\n' : `${row}\r\n`;
}

/** Text for a spreadsheet: an apostrophe before what would be a formula makes it text. */
export function neutralised(cell: string): string {
  return FORMULA_START.test(cell) ? `'${cell}` : cell;
}

/** The cell as it was before it was {@link neutralised}. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell.slice(1)) ? cell.slice(1) : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
