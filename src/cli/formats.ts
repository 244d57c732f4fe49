import { extname } from 'node:path';
import { LINE_FEED, lineFeedsIn } from '../http/request/lines.js';
import { UsageError } from './command.js';

export const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
export type Format = keyof typeof FORMATS;

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

const QUOTE = 0x22;

/**
 * Returns the named format, else the format of the file name extension, else undefined.
 *
 * @throws UsageError
 */
export function formatOf(file: string, named: string | undefined): Format | undefined {
  if (named === undefined) return BY_EXTENSION[extname(file).toLowerCase()];
  if (!(named in FORMATS)) throw new UsageError('--format: must be ndjson or csv.');
  return named as Format;
}

/** Returns a counter of rows, fed with a file's chunks. A line feed inside CSV quotes is part of a cell. */
export function rowCounter(format: Format): (chunk: Uint8Array) => number {
  if (format === 'ndjson') return lineFeedsIn;
  let isQuoted = false;
  return (chunk) => {
    let rows = 0;
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) rows++;
    }
    return rows;
  };
}
