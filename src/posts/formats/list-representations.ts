import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { escapeJson, SlicedText } from '../../http/request/slices.js';
import { POST_FIELDS, PostDto, type PostField } from '../dto/post.dto.js';
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
  // The body is the last member.
  const withoutBody = JSON.stringify({ ...post, body: '' });
  return new SlicedText(withoutBody.slice(0, -2), post.body!, escapeJson, `"}${lineEnd}`);
}

/** RFC 4180: CRLF, a header row, and cells with the exact values of the post. */
const records: LineFormat = {
  head: (fields) => csvRecord(columnsOf(fields)),
  line: recordOf,
  largeLine: (post, fields) => {
    // The body is the last column, and a large one is always quoted.
    const withoutBody = recordOf({ ...post, body: QUOTED }, fields);
    const end = `${QUOTED}"\r\n`;
    return new SlicedText(withoutBody.slice(0, -end.length), post.body!, escapeCell, '"\r\n');
  },
};

/** A cell that has to be quoted. */
const QUOTED = ',';

function recordOf(post: Partial<Post>, fields: readonly PostField[] | undefined): string {
  const columns = columnsOf(fields);
  const values = PostDto.fromPart(post, columns);
  const record = csvRecord(columns.map((column) => String(values[column] ?? '')));
  // A blank line would not count as a record.
  return record === '\r\n' ? '""\r\n' : record;
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
  format: pageOfLines(records),
  lines: records,
};

/** The available representations of lists. The first is the default. */
export const LIST_REPRESENTATIONS: readonly PostListRepresentation[] = [json, ndjson, csv, atom];
