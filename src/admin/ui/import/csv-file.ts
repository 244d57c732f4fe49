import { CsvReader, type CsvRow } from '../csv/csv-reader.js';
import { piecesOf } from '../streams/json-lines.js';

/** Encodings that spreadsheets write. A byte order mark is skipped. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'utf-16le'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Comma first, because it is the standard delimiter. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** The size of the sample that is read for the preview. */
const SAMPLE_BYTES = 256 * 1024;
const SAMPLE_ROWS = 6;

/** The format of a CSV file. */
export interface CsvFormat {
  readonly encoding: Encoding;
  readonly delimiter: Delimiter;
}

/** The file is not valid text in the chosen encoding. */
export class WrongEncoding extends Error {
  constructor(readonly encoding: Encoding) {
    super(`The file is not ${encoding} text.`);
    this.name = 'WrongEncoding';
  }
}

/** Reads the rows of a CSV file in chunks. @throws WrongEncoding */
export async function* csvRows(
  file: Blob,
  { encoding, delimiter }: CsvFormat,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<CsvRow> {
  const reader = new CsvReader(delimiter);
  for await (const text of textOf(file, encoding, onRead)) yield* reader.read(text);
  yield* reader.end();
}

/**
 * Guesses the format of a file: the encoding from its first bytes, and the delimiter as the most frequent one in its
 * first row.
 */
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

/** Text with non-ASCII letters in another encoding is almost never valid UTF-8. */
function guessEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  try {
    // `stream` allows the sample to end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** Reads the first rows of a file. @throws WrongEncoding */
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
  // One decoder for the whole file, because a chunk may end within a character.
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

export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western European)',
  'utf-16le': 'UTF-16 (Excel’s “Unicode text”)',
};

export function wrongEncodingText(encoding: Encoding): string {
  return `The file is not ${ENCODING_NAMES[encoding]}. Choose how its characters are encoded.`;
}
