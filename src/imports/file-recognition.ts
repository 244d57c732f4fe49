import { POST_FIELDS } from '../posts/lists/list-fields.js';
import { quote } from '../problem-details/problem.js';
import { malformed } from './csv-records.js';
import { encodingOf, type FileEncoding, toUtf8, unknownEncoding } from './file-encodings.js';
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
  /** Macintosh programs end lines with a carriage return. */
  readonly lineEnd: '\n' | '\r';
  /** UTF-8; bytes that the encoding does not allow are no UTF-8 there either. */
  readonly text: AsyncIterable<Buffer>;
}

/** Enough to see a character beyond ASCII in a file that has some. */
const BEGINNING_BYTES = 1_048_576;
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/** Files that are no text, by their first bytes in hexadecimal; a part of their content tells more about some. */
const OTHER_FILES: readonly (readonly [start: string, content: string, advice: string])[] = [
  ['504b0304', 'xl/w', 'This is an Excel file. Save it as “CSV UTF-8”, and choose that file.'],
  [
    '504b0304',
    'opendocument.spreadsheet',
    'This is a LibreOffice file. Save it as “Text CSV”, and choose that file.',
  ],
  ['504b0304', '', 'This is a ZIP archive, or a document of an office program. Choose a CSV or NDJSON file.'],
  ['d0cf11e0', '', 'This is a file of an old Excel or Word. Save it as “CSV UTF-8”, and choose that file.'],
  ['1f8b', '', 'This is a compressed file. Decompress it, and choose the file in it.'],
  ['25504446', '', 'This is a PDF. Choose a CSV or NDJSON file.'],
];

/**
 * Recognizes the encoding of a file, its format, and the delimiter of its cells.
 *
 * @throws InvalidRequest with a sentence when it is no list of posts
 */
export async function recognizeFile(chunks: AsyncIterator<Buffer>): Promise<RecognizedFile> {
  const start = await readBeginning(chunks);
  const other = OTHER_FILES.find(
    ([bytes, content]) => start.toString('hex', 0, bytes.length / 2) === bytes && start.includes(content),
  );
  if (other) throw malformed(other[2]);
  const encoding = encodingOf(start.subarray(0, BEGINNING_BYTES));
  const convert = toUtf8(encoding);
  const textStart = convert(start);
  const beginning = textStart.toString().replace(/^\ufeff/, '');
  const isJson = /^\s*(?:[[{]|$)/.test(beginning);
  if (isJson) assertLines(beginning);
  const { delimiter, lineEnd } = isJson
    ? ({ delimiter: undefined, lineEnd: '\n' } as const)
    : headerOf(beginning);
  // Macintosh programs have an encoding of their own, too.
  if (lineEnd === '\r' && encoding === 'Windows-1252') throw unknownEncoding();
  return { format: isJson ? 'ndjson' : 'csv', encoding, delimiter, lineEnd, text: textOf() };

  async function* textOf(): AsyncGenerator<Buffer> {
    yield withoutSeparatorLine(textStart);
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

/** @throws InvalidRequest for a JSON document that is not one object a line */
function assertLines(beginning: string): void {
  const [first = '', next] = beginning.trimStart().split('\n', 2);
  const advice = 'Write one post a line, without brackets and commas around them; jq -c does it.';
  if (first.startsWith('[')) throw malformed(`This is a JSON array. ${advice}`);
  if (next !== undefined && /[{[,:]\s*$/.test(first) && !/\}\s*,\s*$/.test(first))
    throw malformed(`This is a JSON document of several lines. ${advice}`);
}

/** Excel's first line `sep=;` names the delimiter. It is no row. */
const SEPARATOR_LINE = /^\ufeff?sep=(.)(?:\r?\n|\r)/i;

function withoutSeparatorLine(textStart: Buffer): Buffer {
  const [line] = SEPARATOR_LINE.exec(textStart.toString('utf8', 0, 16)) ?? [];
  return line === undefined ? textStart : textStart.subarray(Buffer.byteLength(line));
}

/**
 * The delimiter is the one that divides the header into the most columns of posts.
 *
 * @throws InvalidRequest when no column has a known name
 */
function headerOf(beginning: string): Pick<RecognizedFile, 'delimiter' | 'lineEnd'> {
  const text = beginning.replace(SEPARATOR_LINE, '');
  const header = firstRowWithContent(text);
  const names: readonly string[] = POST_FIELDS;
  const cells = (delimiter: Delimiter): string[] =>
    header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const columns = (delimiter: Delimiter): number =>
    cells(delimiter).filter((cell) => names.includes(columnName(cell))).length;
  const [delimiter] = DELIMITERS.toSorted(
    (a, b) => columns(b) - columns(a) || cells(b).length - cells(a).length,
  );
  if (columns(delimiter!) === 0)
    throw malformed(
      `The file has no header. Its first row must name the columns: ${POST_FIELDS.join(', ')}. ` +
        `It has ${quote(
          cells(delimiter!)
            .map((cell) => `“${cell}”`)
            .join(', '),
        )}.`,
    );
  const [end] = /\r*\n|\r/.exec(text) ?? [];
  return { delimiter: delimiter!, lineEnd: end === '\r' ? '\r' : '\n' };
}

function firstRowWithContent(text: string): string {
  const content = text.search(/[^\s,;"]/);
  const start = Math.max(text.lastIndexOf('\n', content), text.lastIndexOf('\r', content)) + 1;
  return text.slice(start).split(/[\r\n]/, 1)[0]!;
}
