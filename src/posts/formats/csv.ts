import { CSV_TYPE } from '../../http/protocol/media-type.js';
import { SlicedText } from '../../http/request/slices.js';
import { POST_FIELDS, PostDto, type PostField } from '../dto/post.dto.js';
import type { Post } from '../post.entity.js';
import { type LineFormat, pageOfLines, type PostListRepresentation } from './post-list-representation.js';

/** RFC 4180: CRLF, a header row, and cells that hold exactly what the post does. */
const lines: LineFormat = {
  head: (fields) => `${columnsOf(fields).join()}\r\n`,
  line: rowOf,
  largeLine: (post, fields) => {
    // The body is the last column, and a large one is always quoted.
    const withoutBody = rowOf({ ...post, body: QUOTED }, fields);
    const end = `${QUOTED}"\r\n`;
    return new SlicedText(withoutBody.slice(0, -end.length), post.body!, escapeCell, '"\r\n');
  },
};

/** A cell that has to be quoted. */
const QUOTED = ',';

function rowOf(post: Partial<Post>, fields: readonly PostField[] | undefined): string {
  const columns = columnsOf(fields);
  const values = PostDto.fromPart(post, columns);
  const row = columns.map((column) => cell(String(values[column]))).join();
  // A line with nothing in it would be taken for no row at all.
  return row === '' ? '""\r\n' : `${row}\r\n`;
}

export const csv: PostListRepresentation = {
  mediaType: CSV_TYPE,
  parameters: { charset: 'utf-8', header: 'present' },
  contentType: `${CSV_TYPE}; charset=utf-8`,
  format: pageOfLines(lines),
  lines,
};

/** In the order that every representation has. */
function columnsOf(fields: readonly PostField[] | undefined): readonly PostField[] {
  return fields ? POST_FIELDS.filter((field) => fields.includes(field)) : POST_FIELDS;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${escapeCell(text)}"` : text;
}

function escapeCell(text: string): string {
  return text.replaceAll('"', '""');
}
