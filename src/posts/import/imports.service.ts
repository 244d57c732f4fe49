import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Author } from '../../http/author.js';
import { OpenRequests } from '../../http/open-requests.js';
import { LOGGER } from '../../logging/logging.module.js';
import type { InputFault } from '../../problem-details/input-fault.js';
import { InvalidRequest } from '../../problem-details/problems.js';
import { SETTINGS } from '../../settings/settings.module.js';
import type { Settings } from '../../settings/settings.js';
import type { IdRange } from '../hidden-ids.js';
import type { Around } from '../post-change.js';
import { readImportLines } from './import-lines.js';
import { ImportsRepository } from './imports.repository.js';
import { Spool } from './spool.js';

/** What an import has stored; without an id when it was empty. */
export interface ImportResult {
  readonly created: number;
  readonly ids: IdRange | undefined;
}

export interface ImportOptions {
  /** Ends the import, which leaves nothing, with the signal's reason. */
  readonly cancel?: AbortSignal;
  /** Called for the posts that are stored, once all of them are known to be good. */
  readonly onProgress?: (posts: number, total: number) => void;
}

/** Stores any number of posts, all or none, in little memory. */
@Injectable()
export class ImportsService implements OnApplicationBootstrap {
  constructor(
    private readonly repository: ImportsRepository,
    private readonly openRequests: OpenRequests,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What an import has left that was cut off by the end of the process is hidden, and goes in the background. */
  onApplicationBootstrap(): void {
    this.repository.removeUnfinished().catch((error: unknown) => {
      this.logger.error(
        { err: error },
        'An unfinished import could not be removed; the next start tries again.',
      );
    });
  }

  /**
   * Stores the posts of NDJSON, one a line. Nothing is written to the database before all of the lines are known to be
   * good.
   *
   * @param around concludes in the transaction that makes the posts visible
   * @param options for whoever wants to end it early, or to see how far it is
   * @throws InvalidRequest that names the lines
   * @throws BodyTooLarge when a line is
   * @throws ServiceStopping
   */
  async store<Result>(
    body: AsyncIterable<Buffer>,
    author: Author,
    { begin, conclude }: Around<ImportResult, Result>,
    { cancel, onProgress }: ImportOptions = {},
  ): Promise<Result> {
    const { database } = this.settings;
    const { stopDeadline } = this.openRequests;
    const spool = await Spool.create(database.kind === 'sqlite' ? dirname(database.path) : tmpdir());
    try {
      await this.#readInto(spool, body);
      return await this.repository.store(
        spool,
        author,
        { begin, conclude: (transaction, ids) => conclude(transaction, { created: spool.count, ids }) },
        { stop: stopDeadline, cancel, onProgress: (posts) => onProgress?.(posts, spool.count) },
      );
    } finally {
      await spool.close();
    }
  }

  async #readInto(spool: Spool, body: AsyncIterable<Buffer>): Promise<void> {
    const { maxBodyBytes } = this.settings;
    const faults: InputFault[] = [];
    for await (const line of readImportLines(body, maxBodyBytes)) {
      if (!line.post) faults.push(...line.faults);
      // After a fault the lines are only read for more.
      else if (faults.length === 0) await spool.add(line.post);
    }
    if (faults.length > 0) throw new InvalidRequest(faults);
  }
}
