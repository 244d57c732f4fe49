import { extname } from 'node:path';
import { LINE_FEED, lineFeedsIn } from '../imports/lines.js';
import { UsageError } from './command.js';

/** A fault of one line of an import, as the API reports it. */
export interface LineFault {
  readonly detail: string;
  readonly line?: number;
  readonly pointer?: string;
}

/** The import is invalid; nothing was stored. */
export class ImportRefused extends Error {
  constructor(faults: readonly LineFault[], detail: string) {
    super(
      [
        ...faults.map(({ line, pointer, detail: fault }) => `${placeOf(line, pointer)}${fault}`),
        ...(faults.length === 0 ? [detail] : []),
        'Nothing was stored.',
      ].join('\n'),
    );
  }
}

export interface Imported {
  readonly created: number;
  readonly firstId: number | null;
  readonly lastId: number | null;
}

/** Called with the number of stored posts and the total. */
export type OnStored = (posts: number, total: number) => void;

/** A snapshot of all posts, to be read once. */
export interface PostsExport {
  readonly total: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Releases the snapshot, whether or not it was read. */
  close(): Promise<void>;
}

/** Access to the posts of a running service, or of a database that no service has open. */
export interface PostsAccess {
  /**
   * Stores the posts of a file, all or none.
   *
   * @throws ImportRefused
   */
  import(
    bytes: AsyncIterable<Buffer>,
    format: Format,
    cancel: AbortSignal,
    onStored: OnStored,
  ): Promise<Imported>;
  export(format: Format, cancel: AbortSignal): Promise<PostsExport>;
  close(): Promise<void>;
}

function placeOf(line: number | undefined, pointer: string | undefined): string {
  const parts = [...(line === undefined ? [] : [`line ${line}`]), ...(pointer ? [pointer] : [])];
  return parts.length === 0 ? '' : `${parts.join(', ')}: `;
}

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
