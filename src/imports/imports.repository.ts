import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { Insertion } from '../database/entity-queries.js';
import type { Author } from '../http/request/author.js';
import { type NewPost, Post } from '../posts/post.entity.js';
import {
  POST_CHANGE_LISTENERS,
  type PostChangeListener,
  type TransactionHooks,
} from '../posts/writes/post-change.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import type { IndexRows } from '../search/search-queries.js';
import {
  ahead,
  type ImportSource,
  type ImportWatch,
  inBatches,
  throwIfEnded,
  withIds,
} from './import-batches.js';
import { IMPORT_TIME, ImportTimeQueries, StagedImportsRepository } from './staged-imports.repository.js';

/** The hook `after` runs in the transaction that makes the posts visible. */
type ImportHooks<Result> = TransactionHooks<IdRange | undefined, Result>;

/** How many posts one INSERT sends to PostgreSQL: some 200 ms of work. */
const SENT_ROWS = 2_000;
const PAUSE_MS = 100;

/** The key of the lock that an import on PostgreSQL holds ("import" in ASCII). */
const LOCK = 0x696d706f7274n;
/** The key of the lock on the time of the running import ("since" in ASCII). */
const TIME_LOCK = 0x73696e6365n;

/** Stores any number of posts, all or none, which become visible at once. */
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

  /** Removes the remains of an unfinished import, in batches. */
  async removeUnfinished(stop: AbortSignal): Promise<void> {
    if (this.database.dialect.stagesImports) await this.stagedImports.removeUnfinished(stop);
    else await this.#noteTime(this.#times.end);
  }

  /**
   * Transactions run in parallel here, so one large transaction is enough. Imports still run one after another: the
   * history stores an import as one range of ids, so the ids of two imports must not mix.
   */
  async #storeAtOnce<Result>(
    source: ImportSource,
    hooks: TransactionHooks<IdRange, Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    let isRefused = false;
    const before = async (transaction: Transaction): Promise<void> => {
      isRefused = true;
      await hooks.before(transaction);
      isRefused = false;
    };
    for (;;) {
      throwIfEnded(watch);
      // Other transactions must see the time before the first post is stored.
      await this.#noteTime(this.#times.begin);
      try {
        const outcome = await this.#tryToStoreAtOnce(source, { ...hooks, before }, watch);
        if (outcome) return outcome.result;
      } catch (error) {
        // A refused request leaves the time to the import that it repeats. If the database cannot be reached now, the
        // next import or start resets the time.
        if (!isRefused) await this.#noteTime(this.#times.end).catch(() => undefined);
        throw error;
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Does nothing while an import is running, which keeps its own time. */
  #noteTime(query: CompiledQuery): Promise<void> {
    return this.database.write(async (transaction) => {
      if (await this.database.dialect.tryLock(transaction, TIME_LOCK)) await transaction.all(query);
    });
  }

  /** @returns undefined while another import is running */
  #tryToStoreAtOnce<Result>(
    source: ImportSource,
    { before, after }: TransactionHooks<IdRange, Result>,
    watch: ImportWatch,
  ): Promise<{ readonly result: Result } | undefined> {
    const { dialect } = this.database;
    return this.database.write(async (transaction) => {
      // Refuses a repeated request here, instead of letting it wait for the lock.
      await before(transaction);
      if (!(await dialect.tryLock(transaction, LOCK))) return undefined;
      // Waits: a rollback would also release the key, and a repeated request could take it.
      dialect.lock(transaction, TIME_LOCK);
      // Another import has ended since and has reset the time.
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
        this.search.insertion(placed)(transaction);
        first = Math.min(first, ids[0]!);
        last = Math.max(last, ids.at(-1)!);
        watch.onProgress?.((done += posts.length));
      }
      await transaction.all(this.#times.end);
      return { result: await after(transaction, { first, last }) };
    });
  }

  /**
   * Prepares the next batch while the previous one is stored: posts, and index rows with the post's place instead of
   * its id.
   */
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
