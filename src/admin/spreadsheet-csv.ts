import { csv } from '../posts/formats/list-representations.js';
import type { PostListRepresentation, ShownFields } from '../posts/formats/post-list-representation.js';

/**
 * Characters that start a formula in spreadsheets, as OWASP lists them, including the full-width forms and the line
 * feed. See https://owasp.org/www-community/attacks/CSV_Injection. A cell may have apostrophes before them.
 */
const FORMULA_START = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A cell that no spreadsheet runs as a formula: an apostrophe makes it text. */
function asText(cell: string): string {
  return FORMULA_START.test(cell) ? `'${cell}` : cell;
}

/** Posts for spreadsheets, which detect the encoding by the byte order mark. */
export const spreadsheet: PostListRepresentation<ShownFields> = {
  ...csv,
  head: (list) => `\ufeff${csv.head(list)}`,
  post: (post, list) =>
    csv.post(Object.assign({}, post, { title: asText(post.title!), body: asText(post.body!) }), list),
};

/** The text of a cell that {@link spreadsheet} wrote: without the apostrophe that it has added. */
export function fromSpreadsheetCell(cell: string): string {
  return cell.startsWith("'") && FORMULA_START.test(cell) ? cell.slice(1) : cell;
}
