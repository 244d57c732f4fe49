import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Database, type Transaction } from '../database/database.js';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import { LOGGER } from '../logging/logger.js';
import { ahead } from '../posts/lists/ahead.js';
import type { ImportRequest } from '../posts/post-imports.js';
import { StagedIds } from '../posts/lists/post-pages.repository.js';
import type { IdRange } from '../posts/post-collection.entity.js';
import { IdempotencyKeyInUse, ServiceStopping } from '../problem-details/problems.js';
import type { StagedBatch } from './import-batches.js';
import { isEnded, StagedPostsRepository, type StageState } from './staged-posts.repository.js';

/** How often an import that waits looks whether the other one has ended. */
const PAUSE_MS = 100;
/** How often the removal of an import's remains is tried again. */
const RETRY_MS = 1_000;
/** An import of another instance that makes no progress for this long has ended with its process. */
const STANDSTILL_MS = 15_000;

type Request = Pick<ImportRequest<unknown>, 'body' | 'key' | 'onProgress'>;

/** The posts of an import. */
interface StagedImport<Result> {
  readonly count: number;
  readonly batches: AsyncGenerator<StagedBatch>;
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
  /** The last import of this process, by the first id of its posts. */
  #own = { first: 0, isRunning: false };
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
   * @throws DatabaseFault, ServiceStopping, ClientGone, and what `publish` throws; nothing is stored
   */
  store<Result>(request: Request, posts: StagedImport<Result>): Promise<Result> {
    const running = this.#store(request, posts);
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  async #store<Result>(request: Request, { count, batches, publish }: StagedImport<Result>): Promise<Result> {
    const ids = await this.#begin(request, count);
    this.#own = { first: ids.first, isRunning: true };
    this.stagedIds.range = ids;
    try {
      let done = 0;
      for await (const batch of ahead(batches)) {
        this.#throwIfStopped(request);
        await this.staged.store(ids, batch);
        request.onProgress?.((done += batch.count), count);
      }
      // Before the posts become visible: a fault may be reported for a COMMIT that was made.
      this.stagedIds.range = undefined;
      return await this.database.write(async (transaction) => {
        await this.staged.show(transaction, ids);
        return publish(transaction, ids);
      });
    } catch (error) {
      this.#removeRemains();
      throw error;
    } finally {
      this.#own.isRunning = false;
    }
  }

  /** Waits for another import to end, and removes its remains when it has ended early. */
  async #begin(request: Request, count: number): Promise<IdRange> {
    const { key } = request;
    for (;;) {
      this.#throwIfStopped(request);
      if (!this.#own.isRunning) {
        const ids = await this.staged.begin(count, key);
        if (ids) return ids;
        const other = await this.staged.find();
        if (other && this.#isAbandoned(other)) await this.#remove(other);
        else if (other?.importKey === key && key !== '') throw new IdempotencyKeyInUse();
      }
      await sleep(PAUSE_MS);
    }
  }

  #throwIfStopped({ body }: Request): void {
    this.#stop.throwIfAborted();
    body.clientGone?.throwIfAborted();
  }

  /** SQLite has one process at a time, so an import that is not its own is the remains of an earlier process. */
  #isAbandoned(state: StageState): boolean {
    const { hiddenFrom: first, importBeats: beats } = state;
    if (this.#own.first === first) return !this.#own.isRunning;
    if (isEnded(state) || this.database.dialect.name === 'sqlite') return true;
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
    await this.staged.remove(range, this.#stop);
    if (this.stagedIds.range === range) this.stagedIds.range = undefined;
  }
}
