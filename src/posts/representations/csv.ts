import { CSV_TYPE } from '../../http/media-types.js';
import { POST_FIELDS, PostDto, type PostField } from '../dto/post.dto.js';
import { type LineFormat, pageOfLines, type PostListRepresentation } from './post-list-representation.js';

/** RFC 4180: CRLF, a header row, and cells that hold exactly what the post does. */
const lines: LineFormat = {
  head: (fields) => `${columnsOf(fields).join()}\r\n`,
  line: (post, fields) => {
    const columns = columnsOf(fields);
    const values = PostDto.fromPart(post, columns);
    const row = columns.map((column) => cell(String(values[column]))).join();
    // A line with nothing in it would be taken for no row at all.
    return row === '' ? '""\r\n' : `${row}\r\n`;
  },
};

export const csv: PostListRepresentation = {
  mediaType: CSV_TYPE,
  parameters: { charset: 'utf-8' },
  contentType: `${CSV_TYPE}; charset=utf-8`,
  format: pageOfLines(lines),
  lines,
};

/** In the order that every representation has. */
function columnsOf(fields: readonly PostField[] | undefined): readonly PostField[] {
  return fields ? POST_FIELDS.filter((field) => fields.includes(field)) : POST_FIELDS;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
