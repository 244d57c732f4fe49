import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Database, type Transaction } from '../database/database.js';
import { IdempotencyKeyInUse } from '../idempotency/idempotency-keys.service.js';
import { LOGGER } from '../logging/logger.js';
import { ahead } from '../posts/lists/ahead.js';
import { type IdRange, StagedIds } from '../posts/writes/staged-ids.js';
import { BatchPace, batchesOf } from './import-batches.js';
import { isEnded, type Stage, StagedPostsRepository, type StageState } from './staged-posts.repository.js';
import type { ImportFile } from './import-file.js';

/** How often an import that waits looks whether the other one has ended. */
const PAUSE_MS = 100;
/** How often the removal of an import's remains is tried again. */
const RETRY_MS = 1_000;
/** An import of another instance that makes no progress for this long has ended with its process. */
const STANDSTILL_MS = 15_000;

/** Signals that end an import early, and a callback for its progress. */
export interface ImportWatch {
  /** The service is stopping. The next start removes the posts that are already stored. */
  readonly stop: AbortSignal;
  /** The import is cancelled. */
  readonly cancel?: AbortSignal | undefined;
  /** @param posts the number of posts stored so far */
  readonly onProgress?: ((posts: number) => void) | undefined;
}

/**
 * Stores any number of posts, all or none. The first transaction reserves and hides their ids, many small ones store the
 * posts, and the last one makes them visible. Imports of all instances run one after another.
 *
 * Whatever ends an import early leaves hidden posts, which are removed in the background.
 */
@Injectable()
export class ImportEngine {
  /** The import that this process is running. */
  #own: Stage | undefined;
  /** The first id of an import of this process that has ended early. */
  #failed: number | undefined;
  #removal: Promise<void> | undefined;
  readonly #cleaning = new Set<Promise<void>>();
  /** Since when an import of another instance has made no progress. */
  #seen = { first: 0, beats: 0, at: 0 };

  constructor(
    private readonly staged: StagedPostsRepository,
    private readonly database: Database,
    private readonly stagedIds: StagedIds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param key identifies the request; empty when it has no Idempotency-Key
   * @param publish runs in the transaction that makes the posts visible
   * @throws IdempotencyKeyInUse while another instance runs the import of the same request
   * @throws DatabaseFault, the reason of a signal, and what `publish` throws; nothing is stored
   */
  async store<Result>(
    file: ImportFile,
    key: string,
    publish: (transaction: Transaction, ids: IdRange) => Promise<Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    const stage = await this.#begin(file.count, key, watch);
    try {
      await this.#storeBatches(file, stage, watch);
      const result = await this.database.write(async (transaction) => {
        await this.staged.beat(transaction, stage);
        this.staged.show(transaction, stage);
        return publish(transaction, stage);
      });
      this.stagedIds.range = undefined;
      return result;
    } catch (error) {
      this.#failed = stage.first;
      throw error;
    } finally {
      this.#own = undefined;
      if (this.#failed === stage.first) this.removeRemains(watch.stop);
    }
  }

  /** Whether an import of the request with this key is running, in any instance. */
  async isRunning(key: string): Promise<boolean> {
    const found = await this.staged.find();
    return found?.importKey === key && !isEnded(found);
  }

  /**
   * Removes the remains of imports that have ended early, in the background. A fault is logged once, and the removal is
   * tried again.
   */
  removeRemains(stop: AbortSignal): void {
    const cleaning = this.#removeRemains(stop).finally(() => this.#cleaning.delete(cleaning));
    this.#cleaning.add(cleaning);
  }

  /** Resolves when no removal is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#cleaning);
  }

  async #removeRemains(stop: AbortSignal): Promise<void> {
    let isLogged = false;
    while (!stop.aborted) {
      try {
        const found = await this.staged.find();
        if (!found) return;
        if (this.#isAbandoned(found)) await this.#removeFound(found, stop);
      } catch (error) {
        if (!isLogged && !stop.aborted)
          this.logger.warn(
            { err: error },
            'An unfinished import could not be removed; the service tries again.',
          );
        isLogged = true;
      }
      await sleep(RETRY_MS, undefined, { signal: stop, ref: false }).catch(() => undefined);
    }
  }

  /** Waits for another import to end, and removes its remains when it has ended early. */
  async #begin(count: number, key: string, watch: ImportWatch): Promise<Stage> {
    for (;;) {
      throwIfEnded(watch);
      if (!this.#own) {
        const stage = await this.staged.begin(count, key);
        if (stage) {
          this.#own = stage;
          this.stagedIds.range = stage;
          return stage;
        }
        const running = await this.staged.find();
        if (running && this.#isAbandoned(running)) await this.#removeFound(running, watch.stop);
        else if (running?.importKey === key && key !== '') throw new IdempotencyKeyInUse();
      }
      await sleep(PAUSE_MS);
    }
  }

  async #storeBatches(file: ImportFile, stage: Stage, watch: ImportWatch): Promise<void> {
    const pace = new BatchPace(this.database.dialect.importTransactionMs);
    let done = 0;
    for await (const batch of ahead(batchesOf(file.lines(), pace))) {
      throwIfEnded(watch);
      pace.note(batch.count, await this.staged.store(stage, batch));
      watch.onProgress?.((done += batch.count));
    }
  }

  /** SQLite has one process at a time, so an import that is not its own is the remains of an earlier process. */
  #isAbandoned(state: StageState): boolean {
    const { hiddenFrom: first, importBeats: beats } = state;
    if (this.#own?.first === first) return false;
    if (this.#failed === first || isEnded(state) || !this.database.dialect.hasInstances) return true;
    if (this.#seen.first !== first || this.#seen.beats !== beats)
      this.#seen = { first, beats, at: performance.now() };
    return performance.now() - this.#seen.at >= STANDSTILL_MS;
  }

  #removeFound({ hiddenFrom, hiddenTo }: StageState, stop: AbortSignal): Promise<void> {
    return this.#remove({ first: hiddenFrom, last: hiddenTo }, stop);
  }

  /** Concurrent calls wait for the same removal. */
  #remove({ first, last }: IdRange, stop: AbortSignal): Promise<void> {
    this.#removal ??= (async () => {
      this.stagedIds.range = { first, last };
      await this.staged.end(first);
      await this.staged.remove(first, last, stop);
      this.stagedIds.range = undefined;
    })().finally(() => (this.#removal = undefined));
    return this.#removal;
  }
}

function throwIfEnded({ stop, cancel }: ImportWatch): void {
  stop.throwIfAborted();
  cancel?.throwIfAborted();
}
