import { POST_FIELDS } from '../posts/lists/list-fields.js';
import { quote } from '../text/quotations.js';
import { csvRecordEnds, malformed, readCsvRecord, withoutLineEnd } from './csv-records.js';
import { encodingOf, type FileEncoding, toUtf8 } from './file-encodings.js';
import { columnName } from './file-formats.js';
import { ByteCollector } from '../text/byte-collector.js';
import { atOnce } from '../text/steps.js';

export type Delimiter = ',' | ';' | '\t';

/** What the beginning of a file shows; undefined where it does not tell. */
export interface FileDescription {
  readonly format?: 'ndjson' | 'csv';
  readonly encoding?: FileEncoding;
  /** Undefined for NDJSON. */
  readonly delimiter?: Delimiter | undefined;
}

/** A file of posts, as its beginning shows, and its text. */
export interface RecognizedFile extends FileDescription {
  readonly encoding: FileEncoding;
  /** Whether quotes are letters of their cells: Google Sheets writes cells as they are, between tabs. */
  readonly hasLiteralQuotes: boolean;
  /** UTF-8; bytes that the encoding does not allow are no UTF-8 there either. */
  readonly text: AsyncIterable<Buffer>;
}

/** Enough to see a character beyond ASCII in a file that has some. */
const BEGINNING_BYTES = 1_048_576;
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

const SAVE_AS_CSV = 'Save it as “CSV UTF-8”, and choose that file.';
const SPREADSHEET = `This is a file of Excel, LibreOffice or another program. ${SAVE_AS_CSV}`;
const IMAGE = 'This is an image. Choose a file of posts: CSV, or NDJSON.';
/** The first bytes of other files, in hexadecimal, and what to do with such a file. */
const OTHER_FILES: readonly (readonly [start: string, sentence: string])[] = [
  ['504b0304', SPREADSHEET],
  ['d0cf11e0', SPREADSHEET],
  ['1f8b', 'This is a compressed file (gzip). Unpack it, and choose the file that is in it.'],
  ['25504446', `This is a PDF. Open the table that it was made of. ${SAVE_AS_CSV}`],
  [
    '7b5c727466',
    `This is a document of a word processor (RTF). Copy its table to a spreadsheet. ${SAVE_AS_CSV}`,
  ],
  ['ffd8ff', IMAGE],
  ['89504e47', IMAGE],
];
/** Some programs call a web page a file of Excel, and Excel opens it. */
const WEB_PAGE = /^\s*<(?:!doctype html|html|head|meta|body|table)\b/i;
const XML = /^\s*<\?xml\b/i;

/** A character that no text has: a control character that is neither a tab nor a part of a line end. */
const NO_TEXT = /(?![\t-\r])\p{Cc}/u;

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
  const firstBytes = start.toString('hex', 0, 8);
  const otherFile = OTHER_FILES.find(([bytes]) => firstBytes.startsWith(bytes));
  if (otherFile) throw malformed(otherFile[1]);
  const encoding = encodingOf(start.subarray(0, BEGINNING_BYTES));
  const convert = toUtf8(encoding);
  const textStart = convert(start);
  const beginning = textStart.toString().replace(/^\ufeff/, '');
  if (WEB_PAGE.test(beginning))
    throw malformed(`This is a web page, whatever its name is. Open it in a spreadsheet. ${SAVE_AS_CSV}`);
  if (XML.test(beginning)) throw malformed(`This is XML. Open it in a spreadsheet. ${SAVE_AS_CSV}`);
  if (ONE_DOCUMENT.test(beginning))
    throw malformed(
      'This is one JSON document. Write one post a line, without brackets and commas around them; jq -c does it.',
    );
  const text = textOf();
  const isNdjson = /^\s*(?:[[{]|$)/.test(beginning);
  if (isNdjson) return { format: 'ndjson', encoding, delimiter: undefined, hasLiteralQuotes: false, text };
  const delimiter = delimiterOf(beginning.replace(SEPARATOR_LINE, ''));
  const hasLiteralQuotes = delimiter === '\t' && quotesAreLetters(Buffer.from(beginning));
  return { format: 'csv', encoding, delimiter, hasLiteralQuotes, text };

  async function* textOf(): AsyncGenerator<Buffer> {
    const [line = ''] = SEPARATOR_LINE.exec(textStart.toString('utf8', 0, 16)) ?? [];
    yield textStart.subarray(Buffer.byteLength(line));
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield convert(next.value);
    yield convert();
  }
}

/**
 * Whether cells between tabs have quotes that CSV cannot have there, as in `The 12" ferry`. Then all quotes of the file
 * are letters, also those around a whole cell.
 */
function quotesAreLetters(text: Buffer): boolean {
  const tab = '\t'.charCodeAt(0);
  const findEnd = csvRecordEnds(tab);
  for (let start = 0, end = 0; (end = findEnd(text, start)) >= 0; start = end + 1) {
    const record = withoutLineEnd(text.subarray(start, end));
    try {
      if (record.includes('"')) atOnce(readCsvRecord(record, tab));
    } catch {
      return true;
    }
  }
  return false;
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
  const header = firstRowWithContent(text);
  const [best] = DELIMITERS.map((delimiter) => dividedBy(delimiter, header)).toSorted(
    (one, other) => other.known - one.known || other.cells.length - one.cells.length,
  );
  const { delimiter, cells, known } = best!;
  if (known === 0 && NO_TEXT.test(header))
    throw malformed(`This is no text. Open it in the program that made it. ${SAVE_AS_CSV}`);
  if (known === 0) {
    const found = cells.map((cell) => `“${cell}”`).join(', ');
    throw malformed(
      `The file has no header. Its first row must name the columns: ${POST_FIELDS.join(', ')}. ` +
        `It has ${quote(found)}.`,
    );
  }
  if (text.includes('\r') && !text.includes('\n'))
    throw malformed(
      'The lines end with carriage returns alone, as on old Macintoshes. Save the file as “CSV UTF-8”, and choose that file.',
    );
  return delimiter;
}

function firstRowWithContent(text: string): string {
  const content = text.search(/[^\s,;"]/);
  const start = text.lastIndexOf('\n', content) + 1;
  const [row = ''] = text.slice(start).split(/[\r\n]/, 1);
  return row;
}

/** The cells of a header, if this delimiter is between them, and how many of them are names of columns of posts. */
function dividedBy(delimiter: Delimiter, header: string) {
  const names: readonly string[] = POST_FIELDS;
  const cells = header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const known = cells.filter((cell) => names.includes(columnName(cell))).length;
  return { delimiter, cells, known };
}
