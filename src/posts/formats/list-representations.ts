import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { SLICE_BYTES } from '../../http/request/slices.js';
import { escapeJson, LongJson } from '../../http/response/long-json.js';
import { PostDto } from '../dto/post.dto.js';
import { POST_FIELDS, type PostField } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';
import { atom } from './atom.js';
import { piecesOf, type PostListRepresentation, type ShownFields } from './post-list-representation.js';

/** The post as JSON. */
function jsonText(post: Partial<Post>, { fields }: ShownFields, end = ''): Iterable<string> {
  const dto = fields ? PostDto.fromPart(post, fields) : PostDto.from(post as Post);
  const long = LongJson.from(dto, 'body');
  return long ? piecesOf(long.start, long.text, escapeJson, long.end + end) : [JSON.stringify(dto), end];
}

/** A bare array; the `Link` field has the paging. */
const json: PostListRepresentation<ShownFields> = {
  mediaType: JSON_TYPE,
  contentType: JSON_TYPE,
  isUnlimited: false,
  head: () => '[',
  separator: ',',
  tail: ']',
  post: (post, list) => jsonText(post, list),
};

/** One JSON object per line. JSON writes a line feed within a string as `\n`, so every line feed ends a post. */
export const ndjson: PostListRepresentation<ShownFields> = {
  mediaType: NDJSON_TYPE,
  contentType: NDJSON_TYPE,
  isUnlimited: true,
  head: () => '',
  post: (post, list) => jsonText(post, list, '\n'),
};

/** RFC 4180: CRLF, a header row, and cells with the exact values of the post. */
export const csv: PostListRepresentation<ShownFields> = {
  mediaType: CSV_TYPE,
  contentType: `${CSV_TYPE}; charset=utf-8`,
  fileName: 'posts.csv',
  isUnlimited: true,
  head: ({ fields }) => csvRecord(columnsOf(fields)),
  post: recordOf,
};

function recordOf(post: Partial<Post>, { fields }: ShownFields): Iterable<string> {
  const columns = columnsOf(fields);
  const values = PostDto.fromPart(post, columns);
  const cells = columns.map((column) => String(values[column]));
  // A blank line would not count as a record.
  if (cells.length === 1 && cells[0] === '') return ['""\r\n'];
  const place = columns.indexOf('body');
  const body = cells[place] ?? '';
  if (body.length <= SLICE_BYTES) return [csvRecord(cells)];
  const quote = needsQuotes(body) ? '"' : '';
  const before = cells.slice(0, place).map((text) => `${cell(text)},`);
  const after = cells.slice(place + 1).map((text) => `,${cell(text)}`);
  return piecesOf(before.join('') + quote, body, escapeCell, `${quote}${after.join('')}\r\n`);
}

/** In the order of every representation. */
function columnsOf(fields: readonly PostField[] | undefined): readonly PostField[] {
  return fields ? POST_FIELDS.filter((field) => fields.includes(field)) : POST_FIELDS;
}

/** A record with its line ending. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(cell).join()}\r\n`;
}

function cell(text: string): string {
  return needsQuotes(text) ? `"${escapeCell(text)}"` : text;
}

function needsQuotes(text: string): boolean {
  return /[",\r\n]/.test(text);
}

/** With many quotes, `split` is five times as fast as `replaceAll`. */
function escapeCell(text: string): string {
  return text.split('"').join('""');
}

/** The formats of exports and imports. */
export const LINE_REPRESENTATIONS: readonly PostListRepresentation<ShownFields>[] = [ndjson, csv];

/** The available representations of lists. The first is the default. */
export const LIST_REPRESENTATIONS: readonly PostListRepresentation[] = [json, ...LINE_REPRESENTATIONS, atom];
