/**
 * Characters that start a formula in spreadsheets, as OWASP lists them, including the full-width forms and the line
 * feed. See https://owasp.org/www-community/attacks/CSV_Injection.
 */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Returns the cell as it was before it was neutralised by an export. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell.slice(1)) ? cell.slice(1) : cell;
}
