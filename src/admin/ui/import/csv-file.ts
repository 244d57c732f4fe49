import { CsvReader, type CsvRow } from '../csv/csv-reader.js';
import { piecesOf } from '../streams/json-lines.js';

/** Encodings that spreadsheets write. A byte order mark is skipped. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Comma first: it is what CSV means. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** What is read of a file to show it before it is imported. */
const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_ROWS = 6;

/** How a CSV file is to be read. */
export interface CsvFormat {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
}

/** The bytes of a file are not text in the encoding that was chosen. */
export class WrongEncoding extends Error {
  constructor(readonly encoding: Encoding) {
    super(`The file is not ${encoding} text.`);
    this.name = 'WrongEncoding';
  }
}

/** The rows of a CSV file, of which it holds a piece at a time. @throws WrongEncoding */
export async function* csvRows(
  file: Blob,
  { encoding, delimiter }: CsvFormat,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<CsvRow> {
  const reader = new CsvReader(delimiter);
  for await (const text of textOf(file, encoding, onRead)) yield* reader.read(text);
  yield* reader.end();
}

/** How a file seems to be written: by its first bytes, and by which delimiter its first row has most of. */
export async function guessFormat(file: Blob): Promise<CsvFormat> {
  const encoding = guessEncoding(new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer()));
  let delimiter: Delimiter = DELIMITERS[0];
  let most = 1;
  for (const each of DELIMITERS) {
    const [first] = await sampleRows(file, {
      encoding,
      delimiter: each,
    });
    if (first && first.cells.length > most) {
      most = first.cells.length;
      delimiter = each;
    }
  }
  return { encoding, delimiter };
}

/** Text with letters beyond ASCII is hardly ever UTF-8 by accident. */
function guessEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  try {
    // What follows the sample may go on with its last character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The first rows of a file. @throws WrongEncoding */
export async function sampleRows(file: Blob, format: CsvFormat, most = SAMPLE_ROWS): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of csvRows(file.slice(0, SAMPLE_BYTES), format)) {
    rows.push(row);
    if (rows.length === most) break;
  }
  return rows;
}

async function* textOf(
  file: Blob,
  encoding: Encoding,
  onRead: (bytes: number) => void,
): AsyncGenerator<string> {
  // One decoder for the whole file: a piece may end within a character.
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new WrongEncoding(encoding);
    }
  };
  let read = 0;
  for await (const bytes of piecesOf(file.stream())) {
    read += bytes.length;
    yield decode(bytes);
    onRead(read);
  }
  yield decode();
}
