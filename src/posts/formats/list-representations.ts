import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE } from '../../http/protocol/media-type.js';
import { escapeJson, LongJson } from '../../http/response/long-json.js';
import { PostDto } from '../dto/post.dto.js';
import { POST_FIELDS, type PostField } from '../lists/list-fields.js';
import type { Post } from '../post.entity.js';
import { atom } from './atom.js';
import type { PostListRepresentation, PostText, ShownFields } from './post-list-representation.js';

/** The post as JSON; only a long body is not escaped yet. */
function jsonText(post: Partial<Post>, { fields }: ShownFields, end = ''): PostText {
  const dto = fields ? PostDto.fromPart(post, fields) : PostDto.from(post as Post);
  const long = LongJson.from(dto, 'body');
  return long ? [long.start, long.text, long.end + end] : [JSON.stringify(dto) + end, '', ''];
}

/** A bare array; the `Link` field has the paging. */
const json: PostListRepresentation<ShownFields> = {
  mediaType: JSON_TYPE,
  contentType: JSON_TYPE,
  isUnlimited: false,
  head: () => '[',
  separator: ',',
  tail: ']',
  post: jsonText,
  escape: escapeJson,
};

/** One JSON object per line. JSON writes a line feed within a string as `\n`, so every line feed ends a post. */
const ndjson: PostListRepresentation<ShownFields> = {
  mediaType: NDJSON_TYPE,
  contentType: NDJSON_TYPE,
  isUnlimited: true,
  head: () => '',
  separator: '',
  tail: '',
  post: (post, list) => jsonText(post, list, '\n'),
  escape: escapeJson,
};

/** RFC 4180: CRLF, a header row, and cells with the exact values of the post. */
const csv: PostListRepresentation<ShownFields> = {
  mediaType: CSV_TYPE,
  parameters: { charset: 'utf-8', header: 'present' },
  contentType: `${CSV_TYPE}; charset=utf-8`,
  fileName: 'posts.csv',
  isUnlimited: true,
  head: ({ fields }) => csvRecord(columnsOf(fields)),
  separator: '',
  tail: '',
  post: recordOf,
  escape: escapeCell,
};

/** A record whose body is not escaped yet. */
function recordOf(post: Partial<Post>, { fields }: ShownFields): PostText {
  const columns = columnsOf(fields);
  const values = PostDto.fromPart(post, columns);
  const cells = columns.map((column) => cell(column === 'body' ? '' : String(values[column])));
  const place = columns.indexOf('body');
  if (place === -1) return [`${cells.join()}\r\n`, '', ''];
  const body = values.body!;
  // A blank line would not count as a record.
  const quote = needsQuotes(body) || (body === '' && columns.length === 1) ? '"' : '';
  const [before, after] = [
    cells.with(place, quote).slice(0, place + 1),
    cells.with(place, quote).slice(place),
  ];
  return [before.join(), body, `${after.join()}\r\n`];
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
