import type { Transaction } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import type { BodyShare } from '../http/request/body-shares.js';
import type { IdRange } from './writes/staged-ids.js';

/** The result of an import; `ids` is undefined when it created no post. */
export interface ImportResult {
  readonly created: number;
  readonly ids: IdRange | undefined;
}

/** The text of an import. */
export interface ImportBody extends AsyncIterable<Buffer> {
  /** Holds a long line. */
  readonly share?: BodyShare;
  /** Cancels the import, which stores nothing and throws the signal's reason. */
  readonly clientGone?: AbortSignal;
}

/** The posts to import, and the request that sends them. */
export interface ImportRequest<Result, Stored = ImportResult> {
  readonly body: ImportBody;
  /** NDJSON or CSV. */
  readonly mediaType: string;
  readonly author: Author;
  /** Identifies the request; empty when it has no Idempotency-Key. */
  readonly key: string;
  /** Called with the number of stored posts. Storing starts after all posts are validated. */
  readonly onProgress?: (posts: number, total: number) => void;
  /** Additional work in the transaction that makes the posts visible. */
  readonly after: (transaction: Transaction, result: Stored) => Promise<Result>;
}

/** Stores posts from NDJSON or CSV, all or none. The imports provide it. */
export abstract class PostImports {
  /** @throws InvalidRequest with the faults of the lines */
  abstract store<Result>(request: ImportRequest<Result>): Promise<Result>;
}
