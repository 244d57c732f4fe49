import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import { InFlightRequests } from '../http/pipeline/in-flight-requests.js';
import type { Author } from '../http/request/author.js';
import type { MemoryLease } from '../http/request/body-memory.js';
import { LOGGER } from '../logging/logger.js';
import type { TransactionHooks } from '../posts/writes/post-change.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import type { InputFault } from '../problem-details/problem.js';
import { InvalidRequest, ServiceStopping } from '../problem-details/problems.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { MAX_FAULTS } from './import-formats.js';
import { type ImportLimits, readImportLines } from './import-lines.js';
import { ImportsRepository } from './imports.repository.js';
import { TemporaryFile } from './temporary-file.js';

/** The result of an import; `ids` is undefined when the import was empty. */
export interface ImportResult {
  readonly created: number;
  readonly ids: IdRange | undefined;
}

export interface ImportOptions {
  /** Cancels the import, which stores nothing and throws the signal's reason. */
  readonly cancel?: AbortSignal | undefined;
  readonly mediaType?: string | undefined;
  /** The memory lease for the buffered start of a long line. */
  readonly memory?: MemoryLease | undefined;
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
    private readonly repository: ImportsRepository,
    private readonly inFlightRequests: InFlightRequests,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The posts of an import that a crash or stop interrupted are hidden. They are removed in the background. */
  onApplicationBootstrap(): void {
    const removal = this.repository.removeUnfinished(this.#closing.signal).catch((error: unknown) => {
      this.logger.error(
        { err: error },
        'An unfinished import could not be removed; the next start tries again.',
      );
    });
    this.#running.add(removal);
  }

  /**
   * An import may still be running after its client has disconnected, or its posts are being removed. It must end
   * before the database closes.
   */
  async onModuleDestroy(): Promise<void> {
    this.#closing.abort(new ServiceStopping());
    await Promise.allSettled(this.#running);
  }

  /**
   * Stores posts from NDJSON, one per line, or CSV, one per record. Nothing is written to the database before all posts
   * are validated.
   *
   * @param hooks run in the transaction that makes the posts visible
   * @param options for cancelling the import and reporting its progress
   * @throws InvalidRequest with the numbers of the invalid lines
   * @throws BodyTooLarge when a line is too long
   * @throws ServiceStopping
   */
  async store<Result>(
    body: AsyncIterable<Buffer>,
    author: Author,
    hooks: TransactionHooks<ImportResult, Result>,
    options: ImportOptions = {},
  ): Promise<Result> {
    const running = this.#store(body, author, hooks, options);
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
   * @param memory the memory lease for the buffered start of a long line
   * @throws BodyTooLarge when a line is too long
   */
  async check(body: AsyncIterable<Buffer>, memory: MemoryLease | undefined): Promise<ImportCheck> {
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
    { before, after }: TransactionHooks<ImportResult, Result>,
    { cancel, mediaType, memory, onProgress }: ImportOptions,
  ): Promise<Result> {
    const { database } = this.settings;
    const stop = AbortSignal.any([this.inFlightRequests.stopDeadline, this.#closing.signal]);
    const temporaryFile = await TemporaryFile.create(
      database.kind === 'sqlite' ? dirname(database.path) : tmpdir(),
    );
    try {
      const limits = { maxLineBytes: this.settings.maxBodyBytes, mediaType, memory };
      await this.#readInto(temporaryFile, body, limits);
      return await this.repository.store(
        temporaryFile,
        author,
        { before, after: (transaction, ids) => after(transaction, { created: temporaryFile.count, ids }) },
        { stop, cancel, onProgress: (posts) => onProgress?.(posts, temporaryFile.count) },
      );
    } finally {
      await temporaryFile.close();
    }
  }

  async #readInto(
    temporaryFile: TemporaryFile,
    body: AsyncIterable<Buffer>,
    limits: ImportLimits,
  ): Promise<void> {
    const faults: InputFault[] = [];
    for await (const line of readImportLines(body, limits)) {
      if (!line.post) faults.push(...line.faults);
      // After a fault, the other lines are only checked for more faults.
      else if (faults.length === 0) await temporaryFile.add(line.post);
      if (faults.length >= MAX_FAULTS) break;
    }
    if (faults.length > 0) throw new InvalidRequest(faults);
  }
}
