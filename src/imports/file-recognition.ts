import { ByteCollector } from '../http/request/byte-collector.js';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import { malformed } from './csv-records.js';

export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type Delimiter = ',' | ';' | '\t';

/** A file of posts, as its beginning shows, and its text. */
export interface RecognizedFile {
  readonly format: 'ndjson' | 'csv';
  readonly encoding: FileEncoding;
  /** Undefined for NDJSON. */
  readonly delimiter: Delimiter | undefined;
  /** UTF-8. */
  readonly text: AsyncIterable<Buffer>;
}

/** Enough to see a character beyond ASCII in a file that has some. */
const BEGINNING_BYTES = 1_048_576;
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** The first bytes of Excel and OpenDocument files (ZIP), and of old Excel files. */
const WORKBOOKS = ['504b0304', 'd0cf11e0'];

/**
 * Recognizes the encoding of a file, its format, and the delimiter of its cells.
 *
 * @throws InvalidRequest with a sentence when it is no list of posts
 */
export async function recognizeFile(chunks: AsyncIterator<Buffer>): Promise<RecognizedFile> {
  const start = await readBeginning(chunks);
  if (WORKBOOKS.includes(start.toString('hex', 0, 4)))
    throw malformed('This is an Excel file. Save it as "CSV UTF-8", and choose that file.');
  const encoding = encodingOf(start);
  const decoder = new TextDecoder(encoding);
  // Bytes that are not UTF-8 are reported with their line.
  const toUtf8 = (chunk: Buffer): Buffer =>
    encoding === 'utf-8' ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  const textStart = toUtf8(start);
  const beginning = textStart.toString().trimStart();
  const [first] = beginning;
  if (first === '[')
    throw malformed('This is a JSON array. Write one post a line, without brackets and commas around them.');
  const isJson = first === '{' || first === undefined;
  return {
    format: isJson ? 'ndjson' : 'csv',
    encoding,
    delimiter: isJson ? undefined : delimiterOf(beginning),
    text: textOf(),
  };

  async function* textOf(): AsyncGenerator<Buffer> {
    yield textStart;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield toUtf8(next.value);
    yield Buffer.from(decoder.decode());
  }
}

async function readBeginning(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const start = new ByteCollector();
  while (start.length < BEGINNING_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    start.add(value);
  }
  return start.toBuffer();
}

/** The delimiter that divides the first row into the most columns of posts. */
function delimiterOf(beginning: string): Delimiter {
  const [header = ''] = beginning.split(/\r?\n/, 1);
  const names: readonly string[] = POST_FIELDS;
  const columns = (delimiter: Delimiter): number =>
    header.split(delimiter).filter((cell) => names.includes(cell.replace(/^"(.*)"$/, '$1'))).length;
  const [best] = DELIMITERS.toSorted((a, b) => columns(b) - columns(a));
  if (columns(best!) === 0)
    throw malformed(
      `The file has no header. Its first row must name the columns: ${POST_FIELDS.join(', ')}.`,
    );
  return best!;
}

/** Without a mark of UTF-16, the bytes beyond ASCII decide between UTF-8 and Windows-1252. */
function encodingOf(start: Buffer): FileEncoding {
  const [first, second] = start;
  // An ASCII character of UTF-16 has a byte that is zero.
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le';
  if (first === 0 || (first === 0xfe && second === 0xff)) return 'utf-16be';
  try {
    // `stream` allows the beginning to end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
