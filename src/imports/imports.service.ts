import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import { CSV_TYPE } from '../http/protocol/media-type.js';
import type { Author } from '../http/request/author.js';
import type { BodyShare } from '../http/request/body-shares.js';
import { IdempotencyKeyInUse } from '../idempotency/idempotency-keys.service.js';
import { PostListeners } from '../posts/writes/post-listeners.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import type { InputFault } from '../problem-details/problem.js';
import { InvalidRequest, ServiceStopping } from '../problem-details/problems.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { ImportEngine } from './import-engine.js';
import { ImportFile } from './import-file.js';
import { CsvFormat, type ImportFormat, MAX_FAULTS, ndjsonFormat } from './import-formats.js';
import { type ImportLimits, readImportLines } from './import-lines.js';

/** The result of an import; `ids` is undefined when the import was empty. */
export interface ImportResult {
  readonly created: number;
  readonly ids: IdRange | undefined;
}

/** Additional work in the transaction that makes the posts visible. */
export interface ImportCompletion<Result> {
  /** Identifies the request; empty when it has no Idempotency-Key. */
  readonly key: string;
  readonly after: (transaction: Transaction, result: ImportResult) => Promise<Result>;
}

export interface ImportOptions {
  /** Cancels the import, which stores nothing and throws the signal's reason. */
  readonly cancel?: AbortSignal | undefined;
  readonly mediaType?: string | undefined;
  /** Holds the start of a long line. */
  readonly memory?: BodyShare | undefined;
  /** Called with the number of stored posts. Storing starts after all posts are validated. */
  readonly onProgress?: (posts: number, total: number) => void;
}

export interface ImportCheck {
  readonly lines: number;
  readonly faults: readonly (InputFault & { readonly line: number })[];
}

/** A check reports more faults than an import, because users correct the file from its table of faults. */
const MAX_CHECKED_FAULTS = 1_000;

/** Imports any number of posts, all or none, in little memory. */
@Injectable()
export class ImportsService implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    private readonly engine: ImportEngine,
    private readonly search: SearchIndexRepository,
    private readonly database: Database,
    private readonly listeners: PostListeners,
    private readonly inFlightRequests: InFlightRequests,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The posts of an import that a crash or stop interrupted are hidden. */
  onApplicationBootstrap(): void {
    this.engine.removeRemains(this.#closing.signal);
  }

  /**
   * An import may still be running after its client has disconnected, or its posts are being removed. It must end
   * before the database closes.
   */
  async onModuleDestroy(): Promise<void> {
    this.#closing.abort(new ServiceStopping());
    await Promise.allSettled(this.#running);
    await this.engine.idle();
  }

  /**
   * Stores posts from NDJSON, one per line, or CSV, one per record. Nothing is written to the database before all posts
   * are validated.
   *
   * @param options for cancelling the import and reporting its progress
   * @throws InvalidRequest with the numbers of the invalid lines
   * @throws BodyTooLarge when a line is too long
   * @throws IdempotencyKeyInUse while another instance runs the import of the same request
   * @throws ServiceStopping
   */
  async store<Result>(
    body: AsyncIterable<Buffer>,
    author: Author,
    completion: ImportCompletion<Result>,
    options: ImportOptions = {},
  ): Promise<Result> {
    return this.run((stop) => this.#store(body, author, completion, options, stop));
  }

  /** Runs an import, which ends before the database closes. @param work gets the signal of the stop */
  async run<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = work(AbortSignal.any([this.inFlightRequests.stopDeadline, this.#closing.signal]));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /**
   * Validates an import without storing it.
   *
   * @param memory holds the start of a long line
   * @throws BodyTooLarge when a line is too long
   */
  async check(body: AsyncIterable<Buffer>, memory: BodyShare | undefined): Promise<ImportCheck> {
    const limits = { maxLineBytes: this.settings.maxBodyBytes, memory, maxFaults: MAX_CHECKED_FAULTS };
    let lines = 0;
    const faults: (InputFault & { line: number })[] = [];
    for await (const line of readImportLines(body, limits)) {
      lines += 1;
      if (!line.post) faults.push(...line.faults);
    }
    return { lines, faults };
  }

  async #store<Result>(
    body: AsyncIterable<Buffer>,
    author: Author,
    { key, after }: ImportCompletion<Result>,
    { cancel, mediaType, memory, onProgress }: ImportOptions,
    stop: AbortSignal,
  ): Promise<Result> {
    // Refuses before the client sends the payload, not after.
    if (key !== '' && (await this.engine.isRunning(key))) throw new IdempotencyKeyInUse();
    const { database, maxBodyBytes } = this.settings;
    const file = await ImportFile.create(database, this.search);
    try {
      await this.#readInto(file, body, { maxLineBytes: maxBodyBytes, format: formatOf(mediaType), memory });
      const { count } = file;
      if (count === 0)
        return await this.database.write((transaction) => after(transaction, { created: 0, ids: undefined }));
      const publish = async (transaction: Transaction, ids: IdRange): Promise<Result> => {
        await this.listeners.onImport(transaction, { author, ...ids });
        return after(transaction, { created: count, ids });
      };
      const watch = { stop, cancel, onProgress: (posts: number) => onProgress?.(posts, count) };
      return await this.engine.store(file, key, publish, watch);
    } finally {
      await file.close();
    }
  }

  async #readInto(file: ImportFile, body: AsyncIterable<Buffer>, limits: ImportLimits): Promise<void> {
    const faults: InputFault[] = [];
    for await (const line of readImportLines(body, limits)) {
      if (!line.post) faults.push(...line.faults);
      // After a fault, the other lines are only checked for more faults.
      else if (faults.length === 0) await file.add(line.post);
      if (faults.length >= MAX_FAULTS) break;
    }
    if (faults.length > 0) throw new InvalidRequest(faults);
  }
}

function formatOf(mediaType: string | undefined): ImportFormat {
  return mediaType === CSV_TYPE ? new CsvFormat() : ndjsonFormat;
}
