import { isUtf8 } from 'node:buffer';
import { POST_FIELDS } from '../posts/lists/list-fields.js';
import { InvalidRequest } from '../problem-details/problems.js';
import { faultsOfLine } from './import-formats.js';

export type FileEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type Delimiter = ',' | ';' | '\t';

/** A file of posts, as its beginning shows, and its text. */
export interface RecognizedFile {
  readonly format: 'ndjson' | 'csv';
  /** That of the first character beyond ASCII; before it, all of them but UTF-16 are the same. */
  readonly encoding: () => FileEncoding;
  /** Undefined for NDJSON. */
  readonly delimiter: Delimiter | undefined;
  /** UTF-8. */
  readonly text: AsyncIterable<Buffer>;
}

/** Enough for a header. */
const BEGINNING_BYTES = 65_536;
const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];

/**
 * Recognizes the encoding of a file, its format, and the delimiter of its cells.
 *
 * @throws InvalidRequest with a sentence when it is no list of posts
 */
export async function recognizeFile(body: AsyncIterable<Buffer>): Promise<RecognizedFile> {
  const chunks = body[Symbol.asyncIterator]();
  const start = await readBeginning(chunks);
  refuseIf(start.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004')), 'This is an Excel file');
  refuseIf(start.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex')), 'This is an old Excel file');
  const decoder = new FileDecoder(start);
  const first = decoder.decode(start);
  const beginning = first
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart();
  if (beginning.startsWith('['))
    throw refused('This is a JSON array. Write one post a line, without brackets and commas around them.');
  async function* text(): AsyncGenerator<Buffer> {
    yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next())
      yield decoder.decode(next.value);
    yield decoder.end();
  }
  const isJson = beginning.startsWith('{') || beginning === '';
  return {
    format: isJson ? 'ndjson' : 'csv',
    encoding: () => decoder.encoding,
    delimiter: isJson ? undefined : delimiterOf(beginning),
    text: text(),
  };
}

async function readBeginning(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let start = Buffer.of();
  while (start.length < BEGINNING_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

/** The delimiter that divides the first row into the most columns of posts. */
function delimiterOf(beginning: string): Delimiter {
  const [header = ''] = beginning.split(/\r?\n/, 1);
  const names: readonly string[] = POST_FIELDS;
  const columns = (delimiter: Delimiter): number =>
    header.split(delimiter).filter((cell) => names.includes(cell.replace(/^"(.*)"$/, '$1'))).length;
  const [best] = DELIMITERS.toSorted((a, b) => columns(b) - columns(a));
  if (columns(best!) === 0)
    throw refused(`The file has no header. Its first row must name the columns: ${POST_FIELDS.join(', ')}.`);
  return best!;
}

function refuseIf(isSo: boolean, what: string): void {
  if (isSo) throw refused(`${what}. Save it as "CSV UTF-8", and choose that file.`);
}

function refused(detail: string): InvalidRequest {
  return new InvalidRequest(
    faultsOfLine(1, new InvalidRequest([{ detail, code: 'malformed_csv', pointer: '' }])),
  );
}

/** Decodes a file chunk by chunk to UTF-8. */
class FileDecoder {
  encoding: FileEncoding;
  /** Whether UTF-8 is only assumed, because all characters so far were ASCII. */
  #isAssumed: boolean;
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  /** The bytes of a character that the next chunk completes. */
  #rest = Buffer.of();

  constructor(start: Buffer) {
    this.encoding = encodingOfMark(start) ?? encodingOfZeros(start) ?? 'utf-8';
    this.#isAssumed = this.encoding === 'utf-8';
    if (!this.#isAssumed) this.#decoder = new TextDecoder(this.encoding);
  }

  decode(chunk: Buffer): Buffer {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const whole = this.#isAssumed ? this.#decide(bytes) : bytes;
    this.#rest = bytes.subarray(whole.length);
    // Bytes that are not UTF-8 are reported with their line later.
    return this.#decoder ? Buffer.from(this.#decoder.decode(whole, { stream: true })) : whole;
  }

  end(): Buffer {
    return this.#decoder ? Buffer.from(this.#decoder.decode()) : this.#rest;
  }

  /** The first characters beyond ASCII decide between UTF-8 and Windows-1252. @returns the bytes to decode now */
  #decide(bytes: Buffer): Buffer {
    const whole = withoutCutCharacter(bytes);
    if (whole.every((byte) => byte < 0x80)) return whole;
    this.#isAssumed = false;
    if (isUtf8(whole)) return bytes;
    this.encoding = 'windows-1252';
    this.#decoder = new TextDecoder(this.encoding);
    return bytes;
  }
}

function encodingOfMark(start: Buffer): FileEncoding | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** In UTF-16, one byte of each ASCII character is zero. */
function encodingOfZeros(start: Buffer): FileEncoding | undefined {
  if (start.length < 2) return undefined;
  if (start[0] === 0) return 'utf-16be';
  return start[1] === 0 ? 'utf-16le' : undefined;
}

/** Leaves out up to three bytes at the end that begin a character of UTF-8. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  for (let length = 1; length <= Math.min(3, bytes.length); length++) {
    const byte = bytes[bytes.length - length]!;
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - length);
    if (byte < 0x80) break;
  }
  return bytes;
}
