import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Database, type Transaction } from '../database/database.js';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import { LOGGER } from '../logging/logger.js';
import { ahead } from '../posts/lists/ahead.js';
import { type IdRange, StagedIds } from '../posts/writes/staged-ids.js';
import { IdempotencyKeyInUse, ServiceStopping } from '../problem-details/problems.js';
import type { StagedBatch } from './import-batches.js';
import { isEnded, type Stage, StagedPostsRepository, type StageState } from './staged-posts.repository.js';

/** How often an import that waits looks whether the other one has ended. */
const PAUSE_MS = 100;
/** How often the removal of an import's remains is tried again. */
const RETRY_MS = 1_000;
/** An import of another instance that makes no progress for this long has ended with its process. */
const STANDSTILL_MS = 15_000;

/** The posts of an import, and what it does besides storing them. */
export interface StagedImport<Result> {
  readonly count: number;
  readonly batches: AsyncGenerator<StagedBatch>;
  /** Identifies the request; empty when it has no Idempotency-Key. */
  readonly key: string;
  /** Cancels the import, which throws the signal's reason. */
  readonly cancel?: AbortSignal | undefined;
  /** Called with the number of posts stored so far. */
  readonly onProgress?: ((posts: number) => void) | undefined;
  /** Runs in the transaction that makes the posts visible. */
  readonly publish: (transaction: Transaction, ids: IdRange) => Promise<Result>;
}

/**
 * Stores any number of posts, all or none. The first transaction reserves and hides their ids, many small ones store the
 * posts, and the last one makes them visible. Imports of all instances run one after another.
 *
 * Whatever ends an import early leaves hidden posts, which are removed in the background.
 */
@Injectable()
export class ImportEngine implements OnApplicationBootstrap, OnModuleDestroy {
  /** The import that this process is running. */
  #own: Stage | undefined;
  /** The first id of an import of this process that has ended early. */
  #failed: number | undefined;
  /** The removals of what imports of this process have left, and of what an earlier process has. */
  #cleaning: Promise<void> = Promise.resolve();
  /** Since when an import of another instance has made no progress. */
  #seen = { first: 0, beats: 0, at: 0 };
  readonly #closing = new AbortController();
  /** The service is stopping. The next start removes the posts that are already stored. */
  readonly #stop: AbortSignal;
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    private readonly staged: StagedPostsRepository,
    private readonly database: Database,
    private readonly stagedIds: StagedIds,
    inFlightRequests: InFlightRequests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#stop = AbortSignal.any([inFlightRequests.stopDeadline, this.#closing.signal]);
  }

  /** The posts of an import that a crash or stop interrupted are hidden. */
  onApplicationBootstrap(): void {
    this.#removeRemains();
  }

  /**
   * An import may still be running after its client has disconnected, or its posts are being removed. It must end
   * before the database closes.
   */
  async onModuleDestroy(): Promise<void> {
    this.#closing.abort(new ServiceStopping());
    await Promise.allSettled(this.#running);
    await this.#cleaning;
  }

  /**
   * @throws IdempotencyKeyInUse while another instance runs the import of the same request
   * @throws DatabaseFault, ServiceStopping, the reason of `cancel`, and what `publish` throws; nothing is stored
   */
  async store<Result>(posts: StagedImport<Result>): Promise<Result> {
    const running = this.#store(posts);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async #store<Result>(posts: StagedImport<Result>): Promise<Result> {
    const stage = await this.#begin(posts);
    try {
      await this.#storeBatches(posts, stage);
      const result = await this.database.write(async (transaction) => {
        await this.staged.beat(transaction, stage);
        this.staged.show(transaction, stage);
        return posts.publish(transaction, { first: stage.first, last: stage.last });
      });
      this.stagedIds.range = undefined;
      return result;
    } catch (error) {
      this.#failed = stage.first;
      this.#removeRemains();
      throw error;
    } finally {
      this.#own = undefined;
    }
  }

  /** Waits for another import to end, and removes its remains when it has ended early. */
  async #begin({ count, key, cancel }: StagedImport<unknown>): Promise<Stage> {
    for (;;) {
      this.#stop.throwIfAborted();
      cancel?.throwIfAborted();
      if (!this.#own) {
        const stage = await this.staged.begin(count, key);
        if (stage) {
          this.#own = stage;
          this.stagedIds.range = stage;
          return stage;
        }
        const other = await this.staged.find();
        if (other && this.#isAbandoned(other)) await this.#remove(other);
        else if (other?.importKey === key && key !== '') throw new IdempotencyKeyInUse();
      }
      await sleep(PAUSE_MS);
    }
  }

  async #storeBatches({ batches, cancel, onProgress }: StagedImport<unknown>, stage: Stage): Promise<void> {
    let done = 0;
    for await (const batch of ahead(batches)) {
      this.#stop.throwIfAborted();
      cancel?.throwIfAborted();
      await this.staged.store(stage, batch);
      onProgress?.((done += batch.count));
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

  /**
   * Removes what imports that have ended early left, in the background. A fault is logged once, and the removal is tried
   * again.
   */
  #removeRemains(): void {
    this.#cleaning = this.#cleaning.then(async () => {
      let isLogged = false;
      while (!this.#stop.aborted) {
        try {
          const found = await this.staged.find();
          if (!found) return;
          if (this.#isAbandoned(found)) await this.#remove(found);
        } catch (error) {
          if (!isLogged && !this.#stop.aborted)
            this.logger.warn(
              { err: error },
              'An unfinished import could not be removed; the service tries again.',
            );
          isLogged = true;
        }
        await sleep(RETRY_MS, undefined, { signal: this.#stop, ref: false }).catch(() => undefined);
      }
    });
  }

  /** Another call for the same posts may run at the same time. */
  async #remove({ hiddenFrom: first, hiddenTo: last }: StageState): Promise<void> {
    const range = { first, last };
    this.stagedIds.range = range;
    await this.staged.end(first);
    await this.staged.remove(range, this.#stop);
    if (this.stagedIds.range === range) this.stagedIds.range = undefined;
  }
}
