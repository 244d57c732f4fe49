import { FINGERPRINT, fingerprintInTurns, fingerprintOf } from '../imports/fingerprint.js';
import { spreadsheetCellParts, toSpreadsheetCell } from '../imports/spreadsheet-cells.js';
import { inPieces, inTurns } from '../turns/index.js';
import { escapeJson } from '../text/escape-json.js';
import { PIECE_LENGTH } from '../text/steps.js';
import { PostDto } from '../posts/dto/post.dto.js';
import {
  cell,
  cellsOf,
  csv,
  csvRecord,
  doubleQuotes,
  ndjson,
  quotedPieces,
} from '../posts/formats/list-representations.js';
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
    head: () => `\ufeff${csvRecord([...POST_FIELDS, FINGERPRINT], delimiter)}`,
    items: ({ items }) =>
      contentsOf<PostDto>(items)
        .map((post) => csvRecord([...cellsOf(post).map(toSpreadsheetCell), fingerprintOf(post)], delimiter))
        .join(''),
    async *pieces(post, _list, client) {
      const { body, ...others } = PostDto.from(post);
      for (const text of cellsOf(others)) yield `${cell(toSpreadsheetCell(text), delimiter)}${delimiter}`;
      const parts = quotesDoubled(spreadsheetCellParts(body, PIECE_LENGTH));
      yield* quotedPieces(body, delimiter, inTurns(parts, client));
      yield `${delimiter}${await fingerprintInTurns({ ...others, body }, client)}\r\n`;
    },
  };
}

function* quotesDoubled(parts: Iterable<string>): Generator<string> {
  for (const part of parts) yield doubleQuotes(part);
}

export const spreadsheet = spreadsheetWith(',');
export const spreadsheetWithSemicolons = spreadsheetWith(';');

export const ndjsonWithFingerprint: PostListRepresentation<ShownFields> = {
  ...ndjson,
  parsesItems: true,
  items: ({ items }) =>
    contentsOf<PostDto>(items)
      .map((post) => `${JSON.stringify(Object.assign({}, post, { [FINGERPRINT]: fingerprintOf(post) }))}\n`)
      .join(''),
  async *pieces(post, _list, client) {
    const { body, ...others } = PostDto.from(post);
    const fingerprint = await fingerprintInTurns({ ...others, body }, client);
    // The members are in the order of those of a short post.
    yield `${JSON.stringify(others).slice(0, -1)},"body":"`;
    yield* inPieces(body, escapeJson, client);
    yield `",${JSON.stringify({ [FINGERPRINT]: fingerprint }).slice(1)}\n`;
  },
};
