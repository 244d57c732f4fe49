import type { Transaction } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import type { BodyShare } from '../http/request/body-shares.js';
import type { IdRange } from './writes/staged-ids.js';

/** The result of an import; `ids` is undefined when it created no post. */
export interface ImportResult {
  readonly created: number;
  readonly ids: IdRange | undefined;
}

/** The posts to import. */
export interface ImportSource {
  readonly body: AsyncIterable<Buffer>;
  /** NDJSON or CSV. */
  readonly mediaType: string;
  /** Holds the start of a long line. */
  readonly memory?: BodyShare | undefined;
}

/** Additional work in the transaction that makes the posts visible. */
export interface ImportCompletion<Result, Stored = ImportResult> {
  /** Identifies the request; empty when it has no Idempotency-Key. */
  readonly key: string;
  readonly after: (transaction: Transaction, result: Stored) => Promise<Result>;
}

/** Stores posts from NDJSON or CSV, all or none. The imports provide it. */
export abstract class PostImports {
  /** @throws InvalidRequest with the faults of the lines */
  abstract store<Result>(
    source: ImportSource,
    author: Author,
    completion: ImportCompletion<Result>,
    options: { readonly cancel: AbortSignal },
  ): Promise<Result>;
}
