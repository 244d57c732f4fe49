import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { Insertion } from '../database/entity-queries.js';
import type { Author } from '../http/request/author.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import {
  POST_CHANGE_LISTENERS,
  type PostChangeListener,
  type TransactionHooks,
} from '../posts/writes/post-change.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { type NewPost, Post } from '../posts/post.entity.js';
import type { IndexRows } from '../search/search-queries.js';
import { ahead, type ImportSource, type ImportWatch, inBatches, throwIfEnded, withIds } from './batches.js';
import { StagedImportsRepository } from './staged-imports.repository.js';
import { IMPORT_TIME, ImportTimeQueries } from './import-time-queries.js';

/** Concludes in the transaction that makes the posts visible. */
type ImportHooks<Result> = TransactionHooks<IdRange | undefined, Result>;

/** How many posts PostgreSQL is given at a time: some 200 ms of work. */
const SENT_ROWS = 2_000;
const PAUSE_MS = 100;

/** Names the lock that an import on PostgreSQL holds. (It is "import" in ASCII.) */
const LOCK = 0x696d706f7274n;

/** Stores any number of posts so that all of them are there at once, or none ever is. */
@Injectable()
export class ImportsRepository {
  readonly #insertion: Insertion<NewPost & Pick<Post, 'version'>>;
  readonly #times: ImportTimeQueries;

  constructor(
    private readonly database: Database,
    private readonly search: SearchIndexRepository,
    private readonly stagedImports: StagedImportsRepository,
    @Inject(POST_CHANGE_LISTENERS) private readonly listeners: readonly PostChangeListener[],
  ) {
    this.#insertion = new Insertion(database, Post, {
      returning: 'id AS "id"',
      expressions: { modified: IMPORT_TIME },
    });
    this.#times = new ImportTimeQueries(database);
  }

  store<Result>(
    source: ImportSource,
    author: Author,
    { before, after }: ImportHooks<Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    if (source.count === 0) return this.database.write((transaction) => after(transaction, undefined));
    const onComplete = async (transaction: Transaction, ids: IdRange): Promise<Result> => {
      for (const listener of this.listeners) await listener.onImport?.(transaction, { author, ...ids });
      return after(transaction, ids);
    };
    return this.database.dialect.stagesImports
      ? this.stagedImports.store(source, onComplete, watch)
      : this.#storeAtOnce(source, { before, after: onComplete }, watch);
  }

  /** Removes what an import has left that never came to its end; some posts at a time. */
  async removeUnfinished(stop: AbortSignal): Promise<void> {
    if (this.database.dialect.stagesImports) await this.stagedImports.removeUnfinished(stop);
    else await this.#noteTime(this.#times.end);
  }

  /**
   * Where transactions stand in nobody's way, one is enough. But imports come one after the other here, too: so that none
   * takes ids between those of another, which the history would not tell apart.
   */
  async #storeAtOnce<Result>(
    source: ImportSource,
    hooks: TransactionHooks<IdRange, Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    for (;;) {
      throwIfEnded(watch);
      // Others have to see it before the first post is stored.
      await this.#noteTime(this.#times.begin);
      try {
        const outcome = await this.#tryToStoreAtOnce(source, hooks, watch);
        if (outcome) return outcome.result;
      } catch (error) {
        // If it cannot be reached now, the next import or start does it.
        await this.#noteTime(this.#times.end).catch(() => undefined);
        throw error;
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Unless an import is running, whose time stays as it is. */
  #noteTime(query: CompiledQuery): Promise<void> {
    return this.database.write(async (transaction) => {
      if (await this.database.dialect.tryLock(transaction, LOCK)) await transaction.all(query);
    });
  }

  /** @returns undefined while another import is bringing in posts */
  #tryToStoreAtOnce<Result>(
    source: ImportSource,
    { before, after }: TransactionHooks<IdRange, Result>,
    watch: ImportWatch,
  ): Promise<{ readonly result: Result } | undefined> {
    return this.database.write(async (transaction) => {
      // Who repeats a request that is being answered is told so, rather than made to wait for the lock.
      await before(transaction);
      if (!(await this.database.dialect.tryLock(transaction, LOCK))) return undefined;
      // Another import has ended since.
      if (!(await this.#times.isNoted(transaction))) return undefined;
      let first = Infinity;
      let last = 0;
      let done = 0;
      for await (const { posts, indexRows } of ahead(this.#batchesOf(source))) {
        throwIfEnded(watch);
        const rows = await this.#insertion.run<{ id: number }>(transaction, posts);
        const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
        const placed = indexRows.map((index) =>
          index.map(([place, ...row]) => [ids[Number(place)]!, ...row]),
        );
        await this.search.insertion(placed)(transaction);
        first = Math.min(first, ids[0]!);
        last = Math.max(last, ids.at(-1)!);
        watch.onProgress?.((done += posts.length));
      }
      await transaction.all(this.#times.end);
      return { result: await after(transaction, { first, last }) };
    });
  }

  /** The posts, and what the index is to hold of each by its place among them: made ready while the batch before is stored. */
  async *#batchesOf(source: ImportSource): AsyncGenerator<{
    readonly posts: readonly (NewPost & Pick<Post, 'version'>)[];
    readonly indexRows: readonly IndexRows[];
  }> {
    for await (const posts of inBatches(source.posts(), () => SENT_ROWS)) {
      const indexRows = await this.search.rowsYielding(withIds(posts, 0));
      yield { posts: posts.map((post) => ({ ...post, version: 1 })), indexRows };
    }
  }
}
