import type { CsvRow } from '../csv/csv-reader.js';
import { type ColumnMapping, guessMapping } from './column-mapping.js';
import { timeZone } from '../time/time-zone.js';
import { type CsvFormat, guessFormat, sampleRows } from './csv-file.js';
import { type CsvImport, csvToPostLines, type PostLines } from './csv-posts.js';
import { guessOrder } from './dates.js';

export const KINDS = ['csv', 'ndjson'] as const;
type ImportKind = (typeof KINDS)[number];

/** All settings of an import. */
export interface ImportPlan {
  readonly kind: ImportKind;
  readonly csv: CsvImport;
}

/** The preview of the start of a file. */
export type Sample = { readonly rows: readonly CsvRow[] } | { readonly fault: unknown };

function kindOf({ name, type }: File): ImportKind {
  return /json/.test(type) || /\.(?:ndjson|jsonl|json)$/i.test(name) ? 'ndjson' : 'csv';
}

/** Guesses the settings for a file. */
export async function guessPlan(file: File): Promise<ImportPlan> {
  const format = await guessFormat(file);
  const mapping = await mappingFor(file, format);
  const dates = { order: undefined, zone: timeZone.get() };
  const csv = { ...format, hasHeader: true, mapping, undoesApostrophes: false, dates };
  return { kind: kindOf(file), csv: await withGuessedDates(file, csv) };
}

/** The number of rows from which the date order is guessed, within the sample. */
const DATED_ROWS = 5_000;

/** Returns the settings with the guessed order of the chosen column's dates. */
export async function withGuessedDates(file: File, csv: CsvImport): Promise<CsvImport> {
  const column = csv.mapping.pub_date;
  if (column === undefined) return { ...csv, dates: { ...csv.dates, order: 'ymd' } };
  const sample = await sampleOf(file, csv, DATED_ROWS);
  const rows = 'rows' in sample ? sample.rows : [];
  const order = guessOrder(rows.map(({ cells }) => cells[column] ?? ''));
  return { ...csv, dates: { ...csv.dates, order } };
}

/** Maps the columns by the names in the first row. The mapping is empty when the file cannot be read. */
export async function mappingFor(file: File, format: CsvFormat): Promise<ColumnMapping> {
  const sample = await sampleOf(file, format);
  return 'rows' in sample ? guessMapping(sample.rows[0]?.cells ?? []) : {};
}

export async function sampleOf(file: File, format: CsvFormat, most?: number): Promise<Sample> {
  try {
    return { rows: await sampleRows(file, format, most) };
  } catch (fault) {
    return { fault };
  }
}

/** Detects a JSON array, as the API returns it, in an NDJSON file. Otherwise each of its lines would be a fault. */
export async function isJsonArray(file: File): Promise<boolean> {
  return /^\s*\[/.test(await file.slice(0, 64).text());
}

/** Returns the posts of a file. NDJSON is sent unchanged. */
export function postLinesOf(
  file: File,
  { kind, csv }: ImportPlan,
  progress: { onRead: (bytes: number) => void; signal: AbortSignal },
): Promise<PostLines> {
  if (kind === 'csv') return csvToPostLines(file, csv, progress);
  return Promise.resolve({ body: file, count: 0, faults: [], lineOf: (line) => line });
}

/** The first bytes of Excel and OpenDocument files (ZIP), and of old Excel files. */
const WORKBOOKS = ['504b0304', 'd0cf11e0'];

export async function isWorkbook(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return WORKBOOKS.includes(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}
