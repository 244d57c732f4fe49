import { JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/index.js';
import { inPieces } from '../../turns/index.js';
import { ListedPostDto } from '../dto/post.dto.js';
import { shownFields } from '../lists/list-fields.js';
import { contentsOf } from '../lists/listed-post.js';
import type { Post } from '../post.entity.js';
import { atom } from './atom.js';
import { listedPostPieces } from './post-json.js';
import type { PostListRepresentation, ShownFields } from './post-list-representation.js';

export const CSV_TYPE = 'text/csv';

/** A bare array; the `Link` field has the paging. */
const json: PostListRepresentation<ShownFields> = {
  mediaType: JSON_TYPE,
  contentType: JSON_TYPE,
  isUnlimited: false,
  head: () => '[',
  separator: ',',
  items: ({ items }) => items,
  pieces: (post, { fields }, client) => listedPostPieces(post, fields, client),
  between: ',',
  tail: ']',
};

/** One JSON object per line. JSON writes a line feed within a string as `\n`, so every line feed ends a post. */
export const ndjson: PostListRepresentation<ShownFields> = {
  mediaType: NDJSON_TYPE,
  contentType: NDJSON_TYPE,
  isUnlimited: true,
  head: () => '',
  separator: '\n',
  items: ({ items }) => `${items}\n`,
  async *pieces(post, { fields }, client) {
    yield* listedPostPieces(post, fields, client);
    yield '\n';
  },
};

/** RFC 4180: CRLF, a header row, and cells with the exact values of the post. */
export const csv: PostListRepresentation<ShownFields> = {
  mediaType: CSV_TYPE,
  contentType: `${CSV_TYPE}; charset=utf-8`,
  fileName: 'posts.csv',
  isUnlimited: true,
  head: ({ fields }) => csvRecord(shownFields(fields)),
  separator: '\n',
  parsesItems: true,
  items: ({ items }) =>
    contentsOf<Partial<ListedPostDto>>(items)
      .map((post) => recordOf(cellsOf(post)))
      .join(''),
  pieces: csvPieces,
};

/** Writes a record in pieces. */
async function* csvPieces(post: Post, { fields }: ShownFields, client: string): AsyncGenerator<string> {
  const content = ListedPostDto.from(post);
  for (const [place, name] of shownFields(fields).entries()) {
    if (place > 0) yield ',';
    if (name === 'body') yield* quotedPieces(content.body, ',', inPieces(content.body, doubleQuotes, client));
    else yield cell(cellOf(content[name]), ',');
  }
  yield '\r\n';
}

/** The values of a post in the order of the columns. */
export function cellsOf(post: Partial<ListedPostDto>): string[] {
  return Object.values<string | number | null>(post).map(cellOf);
}

/** The cell of a null is empty. */
function cellOf(value: string | number | null): string {
  return value === null ? '' : String(value);
}

function recordOf(cells: readonly string[]): string {
  // A blank line would not count as a record.
  return cells.length === 1 && cells[0] === '' ? '""\r\n' : csvRecord(cells);
}

/** A record with its line ending. */
export function csvRecord(cells: readonly string[], delimiter = ','): string {
  return `${cells.map((text) => cell(text, delimiter)).join(delimiter)}\r\n`;
}

export function cell(text: string, delimiter: string): string {
  return isQuoted(text, delimiter) ? `"${doubleQuotes(text)}"` : text;
}

/** Writes a cell with a long text. @param pieces the text with its quotes doubled */
export async function* quotedPieces(
  text: string,
  delimiter: string,
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  const quote = isQuoted(text, delimiter) ? '"' : '';
  yield quote;
  yield* pieces;
  yield quote;
}

function isQuoted(text: string, delimiter: string): boolean {
  // With a long text, four times as fast as a regular expression.
  return [delimiter, '"', '\r', '\n'].some((each) => text.includes(each));
}

/** With many quotes, `split` is five times as fast as `replaceAll`. */
export function doubleQuotes(text: string): string {
  return text.split('"').join('""');
}

/** The available representations of lists. The first is the default. */
export const LIST_REPRESENTATIONS: readonly PostListRepresentation[] = [json, ndjson, csv, atom];

/** The media types that lists and the entry point link to. */
export const LINKED_TYPES = LIST_REPRESENTATIONS.filter(({ isLinked }) => isLinked).map(
  ({ mediaType }) => mediaType,
);
