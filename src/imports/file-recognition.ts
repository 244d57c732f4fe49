import { POST_FIELDS } from '../posts/lists/list-fields.js';
import { quote } from '../problem-details/index.js';
import { malformed } from './csv-records.js';
import { encodingOf, type FileEncoding, toUtf8 } from './file-encodings.js';
import { columnName } from './file-formats.js';
import { ByteCollector } from './lines.js';

export type Delimiter = ',' | ';' | '\t';

/** What the beginning of a file shows; undefined what it does not. */
export interface FileDescription {
  readonly format?: 'ndjson' | 'csv';
  readonly encoding?: FileEncoding;
  /** Undefined for NDJSON. */
  readonly delimiter?: Delimiter | undefined;
}

/** A file of posts, as its beginning shows, and its text. */
export interface RecognizedFile extends FileDescription {
  readonly encoding: FileEncoding;
  /** UTF-8; bytes that the encoding does not allow are no UTF-8 there either. */
  readonly text: AsyncIterable<Buffer>;
}

/** Enough to see a character beyond ASCII in a file that has some. */
const BEGINNING_BYTES = 1_048_576;
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

const SPREADSHEET =
  'This is a file of Excel, LibreOffice or another program. Save it as “CSV UTF-8”, and choose that file.';
/** What the first bytes of other files are in hexadecimal: those of a ZIP archive, and of an old Excel. */
const OTHER_FILES = ['504b0304', 'd0cf11e0'];

/** An array, or an object that goes on after the first line. */
const ONE_DOCUMENT = /^\s*(?:\[|(?=\{)[^\n]*[[{:]\s*\n)/;
/** Excel's first line `sep=;` names the delimiter. It is no row. */
const SEPARATOR_LINE = /^\ufeff?sep=.\r?\n/i;

/**
 * Recognizes the encoding of a file, its format, and the delimiter of its cells.
 *
 * @throws InvalidRequest with a sentence when it is no list of posts
 */
export async function recognizeFile(chunks: AsyncIterator<Buffer>): Promise<RecognizedFile> {
  const start = await readBeginning(chunks);
  if (OTHER_FILES.includes(start.toString('hex', 0, 4))) throw malformed(SPREADSHEET);
  const encoding = encodingOf(start.subarray(0, BEGINNING_BYTES));
  const convert = toUtf8(encoding);
  const textStart = convert(start);
  const beginning = textStart.toString().replace(/^\ufeff/, '');
  const isJson = /^\s*(?:[[{]|$)/.test(beginning);
  if (ONE_DOCUMENT.test(beginning))
    throw malformed(
      'This is one JSON document. Write one post a line, without brackets and commas around them; jq -c does it.',
    );
  const delimiter = isJson ? undefined : delimiterOf(beginning.replace(SEPARATOR_LINE, ''));
  return { format: isJson ? 'ndjson' : 'csv', encoding, delimiter, text: textOf() };

  async function* textOf(): AsyncGenerator<Buffer> {
    const [line = ''] = SEPARATOR_LINE.exec(textStart.toString('utf8', 0, 16)) ?? [];
    yield textStart.subarray(Buffer.byteLength(line));
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield convert(next.value);
    yield convert();
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

/**
 * The delimiter is the one that divides the header, the first row with content, into the most columns of posts.
 *
 * @throws InvalidRequest when no column has a known name
 */
function delimiterOf(text: string): Delimiter {
  const content = text.search(/[^\s,;"]/);
  const [header = ''] = text.slice(text.lastIndexOf('\n', content) + 1).split(/[\r\n]/, 1);
  const names: readonly string[] = POST_FIELDS;
  const cells = (delimiter: Delimiter): string[] =>
    header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const columns = (delimiter: Delimiter): number =>
    cells(delimiter).filter((cell) => names.includes(columnName(cell))).length;
  const [delimiter] = DELIMITERS.toSorted(
    (a, b) => columns(b) - columns(a) || cells(b).length - cells(a).length,
  );
  if (columns(delimiter!) > 0) {
    if (text.includes('\r') && !text.includes('\n'))
      throw malformed(
        'The lines end with carriage returns alone, as on old Macintoshes. Save the file as “CSV UTF-8”, and choose that file.',
      );
    return delimiter!;
  }
  const found = cells(delimiter!).map((cell) => `“${cell}”`);
  throw malformed(
    `The file has no header. Its first row must name the columns: ${POST_FIELDS.join(', ')}. ` +
      `It has ${quote(found.join(', '))}.`,
  );
}
