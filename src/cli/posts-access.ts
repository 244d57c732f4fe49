import { extname } from 'node:path';
import { UsageError } from './command.js';

export const FORMATS = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
export type Format = keyof typeof FORMATS;

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

/**
 * Returns the named format, else the format of the file name extension, else undefined.
 *
 * @throws UsageError
 */
export function formatOf(file: string, named: string | undefined): Format | undefined {
  if (named === undefined) return BY_EXTENSION[extname(file).toLowerCase()];
  if (!Object.hasOwn(FORMATS, named)) throw new UsageError('--format: must be ndjson or csv.');
  return named as Format;
}

/** The posts of a running service, or of a database that no service has open. */
export interface PostsAccess {
  /**
   * Stores the posts of a file, all or none.
   *
   * @throws ImportRefused
   */
  import(bytes: AsyncIterable<Buffer>, format: Format, watch: Watch): Promise<Imported>;
  /** Reads a snapshot of all posts. */
  export(format: Format, watch: Watch): Promise<PostsExport>;
}

export interface Watch {
  readonly cancel: AbortSignal;
  /** Called with the number of posts that were stored or read, and their total. */
  readonly onProgress: (posts: number, total: number) => void;
}

/** The result of an import, as the API writes it. */
export interface Imported {
  readonly created: number;
  readonly first_id: number | null;
  readonly last_id: number | null;
}

export interface PostsExport {
  readonly total: number;
  readonly chunks: AsyncIterable<Uint8Array | string>;
}

/** A fault of one line of an import, as the API reports it. */
export interface LineFault {
  readonly detail: string;
  readonly line?: number;
  readonly pointer?: string;
}

/** The import is invalid; nothing was stored. */
export class ImportRefused extends Error {
  constructor(faults: readonly LineFault[], detail = '') {
    const lines = faults.map(({ line, pointer, detail: fault }) => {
      const place = [line === undefined ? '' : `line ${line}`, pointer ?? ''].filter((part) => part !== '');
      return place.length === 0 ? fault : `${place.join(', ')}: ${fault}`;
    });
    super([...(lines.length === 0 ? [detail] : lines), 'Nothing was stored.'].join('\n'));
  }
}
