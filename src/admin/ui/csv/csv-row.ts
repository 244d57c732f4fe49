/**
 * Characters that start a formula in spreadsheets, as OWASP lists them, including the full-width forms and the line
 * feed. See https://owasp.org/www-community/attacks/CSV_Injection.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Formats a row of CSV (RFC 4180) whose cells no spreadsheet runs as formulas. */
export function csvRow(cells: readonly string[]): string {
  const row = cells.map((cell) => quoted(neutralised(cell))).join();
  // Readers would skip an empty line.
  return row === '' ? '""\r\n' : `${row}\r\n`;
}

/** Prefixes a formula with an apostrophe, so that spreadsheets treat it as text. */
export function neutralised(cell: string): string {
  return FORMULA_START.test(cell) ? `'${cell}` : cell;
}

/** Returns the cell as it was before it was {@link neutralised}. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell.slice(1)) ? cell.slice(1) : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
