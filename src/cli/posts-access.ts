import type { Format } from './formats.js';

/** What a line of an import is about, as the API tells of it. */
export interface LineFault {
  readonly detail: string;
  readonly line?: number;
  readonly pointer?: string;
}

/** What was brought in cannot be stored; nothing was. */
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

/** Told how many posts of how many are stored. */
export type OnStored = (posts: number, total: number) => void;

/** All posts as they were at one moment, to be read once. */
export interface PostsExport {
  readonly total: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Lets go of them, whether or not they were read. */
  close(): Promise<void>;
}

/** The posts of a service that runs, or of a database that no service has open. */
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
