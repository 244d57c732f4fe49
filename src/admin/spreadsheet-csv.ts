import { FINGERPRINT, fingerprintOf } from '../imports/fingerprint.js';
import { toSpreadsheetCell } from '../imports/spreadsheet-cells.js';
import type { PostDto } from '../posts/dto/post.dto.js';
import { cellsOf, csv, csvRecord, ndjson } from '../posts/formats/list-representations.js';
import type { PostListRepresentation, ShownFields } from '../posts/formats/post-list-representation.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import { contentsOf } from '../posts/lists/listed-post.js';

/*
 * The formats of the site's exports: those of the API, and the fingerprint of each post, by which an import sees what
 * was changed since.
 */

/**
 * CSV for spreadsheets, which detect the encoding by the byte order mark and would run cells as formulas.
 *
 * @param delimiter where the decimal separator is a comma, spreadsheets expect a semicolon
 */
function spreadsheetWith(delimiter: ',' | ';'): PostListRepresentation<ShownFields> {
  return {
    ...csv,
    pieces: undefined,
    head: () => `\ufeff${csvRecord([...POST_FIELDS, FINGERPRINT], delimiter)}`,
    items: ({ items }) =>
      contentsOf<PostDto>(items)
        .map((post) => csvRecord([...cellsOf(post).map(toSpreadsheetCell), fingerprintOf(post)], delimiter))
        .join(''),
  };
}

export const spreadsheet = spreadsheetWith(',');
export const spreadsheetWithSemicolons = spreadsheetWith(';');

export const ndjsonWithFingerprint: PostListRepresentation<ShownFields> = {
  ...ndjson,
  pieces: undefined,
  separator: ',',
  items: ({ items }) =>
    contentsOf<PostDto>(items)
      .map((post) => `${JSON.stringify(Object.assign({}, post, { [FINGERPRINT]: fingerprintOf(post) }))}\n`)
      .join(''),
};
