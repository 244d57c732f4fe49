import type { Author } from '../users/user.js';

/** What an import does, or would do. */
export interface ImportCounts {
  readonly created: number;
  readonly replaced: number;
  /** Posts that have the content of their row already. */
  readonly unchanged: number;
  /** Rows that were left out because their post was changed or deleted after the export. */
  readonly skipped: number;
}

export interface ImportResult extends ImportCounts {
  /** The lowest and the highest id; undefined when it created no post. */
  readonly ids: { readonly first: number; readonly last: number } | undefined;
  /** The entry of the change log; null when nothing has changed. */
  readonly entry: number | null;
}

/** The text of an import. */
export interface ImportBody extends AsyncIterable<Buffer> {
  /** The client that sends the import; undefined for the service itself. */
  readonly client?: string;
  /** Aborted to cancel the import, which then stores nothing. */
  readonly signal?: AbortSignal;
  readonly share?: {
    /** Holds a long line, until it is given back. */
    hold(bytes: number): void;
    giveBack(bytes: number): void;
  };
}

/** The posts to import, and how to read them. */
export interface ImportSource {
  readonly body: ImportBody;
  /** NDJSON or CSV. Undefined for a file as people make them: its format, encoding and delimiter are recognized. */
  readonly mediaType?: string | undefined;
  /** Whether lines with the id of a post replace it. Otherwise ids are ignored, and all posts are new. */
  readonly replaces?: boolean;
  /**
   * Whether lines with an id replace its post by the rules of the API (`Prefer: resolution=merge-duplicates`): there must be
   * such a post, and it must still have the entity tag of the line, if that names one.
   */
  readonly merges?: boolean;
  /** Whether lines are imported whose posts were changed or deleted after the export. Otherwise they are skipped. */
  readonly overrides?: boolean;
}

/** The posts to import, and who imports them. */
export interface ImportRequest extends ImportSource {
  readonly author: Author;
}
