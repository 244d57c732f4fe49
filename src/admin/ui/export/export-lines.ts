import type { PostDto } from '../../../posts/dto/post.dto.js';
import { FIELDS } from '../api/posts.js';
import { csvRow } from '../csv/csv-row.js';
import { jsonLines, piecesOf } from '../streams/json-lines.js';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const COLUMNS = ['id', ...FIELDS] as const;

/** The byte order mark with which spreadsheets detect the encoding. */
const BYTE_ORDER_MARK = '\ufeff';

/** Rows are written in batches: one write per row would take most of the time for a million rows. */
const BATCH_CHARACTERS = 256 * 1024;

/** A chunk of the file, and the number of posts in it. */
export interface ExportPiece {
  readonly data: string | Uint8Array<ArrayBuffer>;
  readonly posts: number;
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Converts the service's NDJSON to the file in chunks: unchanged, or as CSV whose cells no spreadsheet runs as
 * formulas.
 */
export function exportPieces(posts: Bytes, format: ExportFormat): AsyncGenerator<ExportPiece> {
  return format === 'csv' ? csvPieces(posts) : ndjsonPieces(posts);
}

async function* ndjsonPieces(posts: Bytes): AsyncGenerator<ExportPiece> {
  for await (const data of piecesOf(posts)) yield { data, posts: lineFeedsIn(data) };
}

async function* csvPieces(posts: Bytes): AsyncGenerator<ExportPiece> {
  let data = BYTE_ORDER_MARK + csvRow(COLUMNS);
  let count = 0;
  for await (const post of jsonLines<PostDto>(posts)) {
    data += csvRow(COLUMNS.map((field) => String(post[field])));
    count++;
    if (data.length >= BATCH_CHARACTERS) {
      yield { data, posts: count };
      data = '';
      count = 0;
    }
  }
  yield { data, posts: count };
}

function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}
