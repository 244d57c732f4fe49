import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Author } from '../../http/author.js';
import { type Line, splitLines } from '../../http/lines.js';
import { OpenRequests } from '../../http/open-requests.js';
import { LOGGER } from '../../logging/logging.module.js';
import type { InputFault } from '../../problem-details/input-fault.js';
import { BodyTooLarge, InvalidRequest, ServiceStopping } from '../../problem-details/problems.js';
import { SETTINGS } from '../../settings/settings.module.js';
import type { Settings } from '../../settings/settings.js';
import type { IdRange } from '../hidden-ids.js';
import type { Around } from '../post-change.js';
import { nowAsPubDate } from '../pub-date.js';
import { faultsOfLine, readImportLine } from './import-line.js';
import { ImportsRepository } from './imports.repository.js';
import { Spool } from './spool.js';

/** So many faults are told of; the rest of the lines is not read for more. */
const MAX_FAULTS = 100;

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
   */
  async store<Result>(
    body: AsyncIterable<Buffer>,
    author: Author,
    { begin, conclude }: Around<ImportResult, Result>,
    { cancel, onProgress }: ImportOptions = {},
  ): Promise<Result> {
    const { database } = this.settings;
    const { stopSignal } = this.openRequests;
    const spool = await Spool.create(database.kind === 'sqlite' ? dirname(database.path) : tmpdir());
    try {
      await this.#readInto(spool, body);
      return await this.repository.store(
        spool,
        author,
        { begin, conclude: (transaction, ids) => conclude(transaction, { created: spool.count, ids }) },
        { stop: stopSignal, cancel, onProgress: (posts) => onProgress?.(posts, spool.count) },
      );
    } catch (error) {
      if (error === stopSignal.reason) throw new ServiceStopping();
      throw error;
    } finally {
      await spool.close();
    }
  }

  async #readInto(spool: Spool, body: AsyncIterable<Buffer>): Promise<void> {
    const { maxBodyBytes } = this.settings;
    const faults: InputFault[] = [];
    const now = nowAsPubDate();
    for await (const line of splitLines(body, maxBodyBytes, () => new BodyTooLarge(maxBodyBytes))) {
      if (isBlank(line)) continue;
      if (faults.length >= MAX_FAULTS) continue;
      try {
        const post = readImportLine(line.bytes, now);
        // After a fault the lines are only read for more.
        if (faults.length === 0) await spool.add(post);
      } catch (error) {
        if (!(error instanceof InvalidRequest)) throw error;
        faults.push(...faultsOfLine(line.number, error));
      }
    }
    if (faults.length > 0) throw new InvalidRequest(faults.slice(0, MAX_FAULTS));
  }
}

/** Nothing but what JSON takes for white space, and a byte order mark at the start. */
function isBlank({ number, bytes }: Line): boolean {
  const start = number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
}
