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
import type { InputFault } from '../problem-details/input-fault.js';
import { InvalidRequest, ServiceStopping } from '../problem-details/problems.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { type ImportLimits, MAX_FAULTS, readImportLines } from './import-lines.js';
import { ImportsRepository } from './imports.repository.js';
import { TemporaryFile } from './temporary-file.js';

/** What an import has stored; without an id when it was empty. */
export interface ImportResult {
  readonly created: number;
  readonly ids: IdRange | undefined;
}

export interface ImportOptions {
  /** Ends the import, which leaves nothing, with the signal's reason. */
  readonly cancel?: AbortSignal | undefined;
  /** That of the body; by default NDJSON. */
  readonly mediaType?: string | undefined;
  /** Where the beginning of a long line takes its memory from. */
  readonly memory?: MemoryLease | undefined;
  /** Called for the posts that are stored, once all of them are known to be good. */
  readonly onProgress?: (posts: number, total: number) => void;
}

/** What an import would meet with. */
export interface ImportCheck {
  /** How many lines there are, without the blank ones. */
  readonly lines: number;
  /** The first thousand. */
  readonly faults: readonly (InputFault & { readonly line: number })[];
}

/** A check reports more faults than an import does: they are corrected by its table. */
const MAX_CHECKED_FAULTS = 1_000;

/** Stores any number of posts, all or none, in little memory. */
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

  /** What an import has left that was cut off by the end of the process is hidden, and goes in the background. */
  onApplicationBootstrap(): void {
    const removal = this.repository.removeUnfinished(this.#closing.signal).catch((error: unknown) => {
      this.logger.error(
        { err: error },
        'An unfinished import could not be removed; the next start tries again.',
      );
    });
    this.#running.add(removal);
  }

  /** An import whose client has left, or its removal, may still be running: it must not outlive the database. */
  async onModuleDestroy(): Promise<void> {
    this.#closing.abort(new ServiceStopping());
    await Promise.allSettled(this.#running);
  }

  /**
   * Stores the posts of NDJSON, one a line, or CSV, one a record. Nothing is written to the database before all of them
   * are known to be good.
   *
   * @param hooks run in the transaction that makes the posts visible
   * @param options for whoever wants to end it early, or to see how far it is
   * @throws InvalidRequest that names the lines
   * @throws BodyTooLarge when a line is
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
   * Reads an import as if it was to be stored, and stores nothing.
   *
   * @param memory where the beginning of a long line takes its memory from
   * @throws BodyTooLarge when a line is
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
      // After a fault the lines are only read for more.
      else if (faults.length === 0) await temporaryFile.add(line.post);
      if (faults.length >= MAX_FAULTS) break;
    }
    if (faults.length > 0) throw new InvalidRequest(faults);
  }
}
