import type { CsvRow } from '../csv/csv-reader.js';
import { type ColumnMapping, guessMapping } from './column-mapping.js';
import { type CsvFormat, guessFormat, sampleRows } from './csv-file.js';
import { type CsvImport, csvToPostLines, type PostLines } from './csv-posts.js';

export type ImportKind = 'csv' | 'ndjson';

/** Everything that says how a file is to be imported. */
export interface ImportPlan {
  readonly kind: ImportKind;
  readonly csv: CsvImport;
}

/** What a plan makes of the start of a file. */
export type Sample = { readonly rows: readonly CsvRow[] } | { readonly fault: unknown };

function kindOf({ name, type }: File): ImportKind {
  return /json/.test(type) || /\.(?:ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv';
}

/** How a file seems to be meant. */
export async function guessPlan(file: File): Promise<ImportPlan> {
  const format = await guessFormat(file);
  const csv = { ...format, hasHeader: true, mapping: {}, undoesApostrophes: false };
  return { kind: kindOf(file), csv: { ...csv, mapping: await mappingFor(file, format) } };
}

/** The columns by the names in the first row; none where the file cannot be read so. */
export async function mappingFor(file: File, format: CsvFormat): Promise<ColumnMapping> {
  const sample = await sampleOf(file, format);
  return 'rows' in sample ? guessMapping(sample.rows[0]?.cells ?? []) : {};
}

export async function sampleOf(file: File, format: CsvFormat): Promise<Sample> {
  try {
    return { rows: await sampleRows(file, format) };
  } catch (fault) {
    return { fault };
  }
}

/** NDJSON that is one array is a file of the API's JSON, of which each line would be a fault. */
export async function isJsonArray(file: File): Promise<boolean> {
  return /^\s*\[/.test(await file.slice(0, 64).text());
}

/** The posts of a file. NDJSON is sent as it is. */
export function postLinesOf(
  file: File,
  { kind, csv }: ImportPlan,
  progress: { onRead: (bytes: number) => void; signal: AbortSignal },
): Promise<PostLines> {
  if (kind === 'csv') return csvToPostLines(file, csv, progress);
  return Promise.resolve({ body: file, count: 0, faults: [], lineOf: (line) => line });
}
