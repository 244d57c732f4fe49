import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { escapeJson, SlicedText } from '../../http/request/slices.js';
import { PostDto } from '../dto/post.dto.js';
import { POST_FIELDS, type PostField } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';
import { atom } from './atom.js';
import { type LineFormat, pageOfLines, type PostListRepresentation } from './post-list-representation.js';

/** A bare array; the `Link` field has the paging. */
const json: PostListRepresentation = {
  mediaType: JSON_TYPE,
  contentType: JSON_TYPE,
  page: (posts, { fields }) => JSON.stringify(posts.map((post) => dtoOf(post, fields))),
  format: (_posts, { fields }) => ({
    head: '[',
    separator: ',',
    tail: ']',
    post: (post) => JSON.stringify(dtoOf(post, fields)),
    largePost: (post) => slicedJson(dtoOf(post, fields)),
  }),
};

/**
 * One JSON object per line. JSON writes a line feed within a string as `\n`, so every line feed ends a post.
 */
const jsonLines: LineFormat = {
  head: () => '',
  line: (post, fields) => `${JSON.stringify(dtoOf(post, fields))}\n`,
  largeLine: (post, fields) => slicedJson(dtoOf(post, fields), '\n'),
};

const ndjson: PostListRepresentation = {
  mediaType: NDJSON_TYPE,
  contentType: NDJSON_TYPE,
  format: pageOfLines(jsonLines),
  lines: jsonLines,
};

function dtoOf(post: Partial<Post>, fields: readonly PostField[] | undefined): Partial<PostDto> {
  return fields ? PostDto.fromPart(post, fields) : PostDto.from(post as Post);
}

/** The same text as `JSON.stringify`, for a post with a large body. */
export function slicedJson(post: Partial<PostDto>, lineEnd = ''): SlicedText {
  const members = Object.entries(post).map(([name, value]) =>
    name === 'body' ? '"body":' : `"${name}":${JSON.stringify(value)}`,
  );
  const next = members.indexOf('"body":') + 1;
  const after = members.slice(next).map((member) => `,${member}`);
  return new SlicedText(
    `{${members.slice(0, next).join()}"`,
    post.body!,
    escapeJson,
    `"${after.join('')}}${lineEnd}`,
  );
}

/** RFC 4180: CRLF, a header row, and cells with the exact values of the post. */
const records: LineFormat = {
  head: (fields) => csvRecord(columnsOf(fields)),
  line: recordOf,
  largeLine: (post, fields) => slicedRecord(post, columnsOf(fields)),
};

function recordOf(post: Partial<Post>, fields: readonly PostField[] | undefined): string {
  const record = csvRecord(cellsOf(post, columnsOf(fields)));
  // A blank line would not count as a record.
  return record === '\r\n' ? '""\r\n' : record;
}

/** A record with a large body, which is quoted whether or not it needs it. */
export function slicedRecord(post: Partial<Post>, columns: readonly PostField[]): SlicedText {
  const next = columns.indexOf('body') + 1;
  const before = cellsOf(post, columns.slice(0, next - 1)).map((text) => `${cell(text)},`);
  const after = cellsOf(post, columns.slice(next)).map((text) => `,${cell(text)}`);
  return new SlicedText(`${before.join('')}"`, post.body!, escapeCell, `"${after.join('')}\r\n`);
}

function cellsOf(post: Partial<Post>, columns: readonly PostField[]): string[] {
  const values = PostDto.fromPart(post, columns);
  return columns.map((column) => String(values[column] ?? ''));
}

/** In the order of every representation. */
function columnsOf(fields: readonly PostField[] | undefined): readonly PostField[] {
  return fields ? POST_FIELDS.filter((field) => fields.includes(field)) : POST_FIELDS;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${escapeCell(text)}"` : text;
}

/** A record with its line ending. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(cell).join()}\r\n`;
}

function escapeCell(text: string): string {
  return text.replaceAll('"', '""');
}

const csv: PostListRepresentation = {
  mediaType: CSV_TYPE,
  parameters: { charset: 'utf-8', header: 'present' },
  contentType: `${CSV_TYPE}; charset=utf-8`,
  fileName: 'posts.csv',
  format: pageOfLines(records),
  lines: records,
};

/** The available representations of lists. The first is the default. */
export const LIST_REPRESENTATIONS: readonly PostListRepresentation[] = [json, ndjson, csv, atom];
