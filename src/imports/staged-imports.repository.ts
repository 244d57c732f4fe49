import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { Insertion } from '../database/entity-queries.js';
import { PostCollection, PostCounter } from '../posts/post-collection.entity.js';
import { Post } from '../posts/post.entity.js';
import { changeTime, nextChangeTime } from '../posts/writes/change-time.js';
import { type IdRange, StagedIds } from '../posts/writes/staged-ids.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import {
  ahead,
  BatchPace,
  type ImportSource,
  type ImportWatch,
  inBatches,
  throwIfEnded,
  withIds,
} from './import-batches.js';

/** How many posts a transaction removes: some 20 ms of work. */
const REMOVED_ROWS = 500;
const PAUSE_MS = 100;

// No entity describes SQLite's sequence table.
const ENSURE_SEQUENCE = CompiledQuery.fromText(
  `INSERT INTO sqlite_sequence (name, seq)
   SELECT 'posts', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'posts')`,
);
const TAKE_IDS = CompiledQuery.fromText(
  `UPDATE sqlite_sequence SET seq = seq + :count WHERE name = 'posts' RETURNING seq AS "last"`,
);

/** The `modified` time of an import's posts, in SQL. */
export const IMPORT_TIME = '(SELECT importing_since FROM posts_state)';

/**
 * Records when the running import began. All of its posts get this time, although they become visible much later. Until
 * then, lists report that unseen changes may exist from this time on (`listLastModified` in posts/post-validators.ts).
 */
export class ImportTimeQueries {
  readonly begin: CompiledQuery;
  readonly end: CompiledQuery;

  constructor({ dialect, reader }: Database) {
    const noteTime = (time: string): CompiledQuery =>
      CompiledQuery.from(
        reader.manager
          .createQueryBuilder()
          .update(PostCollection)
          .set({ importingSince: () => time }),
        [],
      );
    this.begin = noteTime(changeTime(dialect));
    this.end = noteTime(`''`);
  }

  async isNoted({ manager }: Transaction): Promise<boolean> {
    return (await manager.findOneByOrFail(PostCollection, {})).importingSince !== '';
  }
}

/** Another process ended the import: a service was restarted on the same file. */
class ImportEnded extends Error {
  constructor() {
    super('Another process has ended the import.');
  }
}

interface Batch {
  readonly count: number;
  readonly store: (transaction: Transaction) => Promise<void>;
}

/**
 * Imports on SQLite, which has one writer at a time. An import uses many small transactions, between which other writes
 * run. The first one reserves and hides the import's ids; the last one makes them visible.
 */
@Injectable()
export class StagedImportsRepository {
  readonly #insertion: Insertion<Omit<Post, 'modified'>>;
  readonly #hidden: CompiledQuery;
  readonly #hide: CompiledQuery;
  readonly #delete: CompiledQuery;
  readonly #count: CompiledQuery;
  readonly #times: ImportTimeQueries;

  constructor(
    private readonly database: Database,
    private readonly search: SearchIndexRepository,
    private readonly stagedIds: StagedIds,
  ) {
    const { manager } = database.reader;
    this.#insertion = new Insertion(database, Post, {
      givesIds: true,
      expressions: { modified: IMPORT_TIME },
    });
    this.#times = new ImportTimeQueries(database);
    this.#hidden = CompiledQuery.from(
      manager
        .createQueryBuilder(PostCollection, 'collection')
        .select('collection.hiddenFrom', 'first')
        .addSelect('collection.hiddenTo', 'last'),
      [],
    );
    this.#hide = CompiledQuery.from(
      manager
        .createQueryBuilder()
        .update(PostCollection)
        .set({ hiddenFrom: () => ':first', hiddenTo: () => ':last' }),
      ['first', 'last'],
    );
    this.#delete = CompiledQuery.from(
      manager.createQueryBuilder().delete().from(Post).where('id BETWEEN :first AND :last'),
      ['first', 'last'],
    );
    this.#count = CompiledQuery.from(
      manager
        .createQueryBuilder()
        .update(PostCounter)
        .set({
          posts: () => 'posts + :count',
          changes: () => 'changes + 1',
          modified: () => nextChangeTime(database.dialect, 'modified'),
        }),
      ['count'],
    );
  }

  async store<Result>(
    source: ImportSource,
    onComplete: (transaction: Transaction, ids: IdRange) => Promise<Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    const range = await this.#takeIds(source.count, watch);
    try {
      await this.#storeBatches(source, range, watch);
      const result = await this.database.write(async (transaction) => {
        await this.#assertHidden(transaction, range);
        await this.#show(transaction);
        await transaction.all(this.#count, { count: source.count });
        return onComplete(transaction, range);
      });
      this.stagedIds.range = undefined;
      return result;
    } catch (error) {
      // A service that is stopping has no time for the removal; the next start does it.
      if (!(error instanceof ImportEnded)) await this.#remove(range, watch.stop);
      throw error;
    }
  }

  /** Removes the remains of an unfinished import, in batches. */
  async removeUnfinished(stop: AbortSignal): Promise<void> {
    const [range] = await this.database.reader.all<IdRange>(this.#hidden);
    if (range!.last === 0) return;
    this.stagedIds.range = range;
    await this.#remove(range!, stop);
  }

  /** Reserves and hides the ids. It first waits for another import to end. */
  async #takeIds(count: number, watch: ImportWatch): Promise<IdRange> {
    for (;;) {
      throwIfEnded(watch);
      const range = await this.database.write(async (transaction) => {
        const [staged] = await transaction.all<IdRange>(this.#hidden);
        if (staged!.last > 0) return undefined;
        await transaction.all(ENSURE_SEQUENCE);
        const [taken] = await transaction.all<{ last: number }>(TAKE_IDS, { count });
        const ids = { first: taken!.last - count + 1, last: taken!.last };
        await transaction.all(this.#hide, { ...ids });
        await transaction.all(this.#times.begin);
        return ids;
      });
      if (range) {
        this.stagedIds.range = range;
        return range;
      }
      await sleep(PAUSE_MS);
    }
  }

  async #storeBatches(source: ImportSource, range: IdRange, watch: ImportWatch): Promise<void> {
    const pace = new BatchPace();
    let done = 0;
    for await (const { count, store } of ahead(this.#batches(source, range.first, pace))) {
      throwIfEnded(watch);
      let startedAt = 0;
      await this.database.writeInBackground(async (transaction) => {
        startedAt = performance.now();
        const isStaged = this.#assertHidden(transaction, range);
        // An error of `store` takes precedence.
        isStaged.catch(() => undefined);
        await store(transaction);
        await isStaged;
      });
      pace.note(count, performance.now() - startedAt);
      watch.onProgress?.((done += count));
    }
  }

  async *#batches(source: ImportSource, first: number, pace: BatchPace): AsyncGenerator<Batch> {
    let start = first;
    for await (const batch of inBatches(source.posts(), () => pace.rows)) {
      const posts = withIds(batch, start);
      start += posts.length;
      const indexed = this.search.insertion(await this.search.rowsYielding(posts));
      const stored = this.#insertion.prepare(posts.map((post) => ({ ...post, version: 1 })));
      yield {
        count: posts.length,
        store: async (transaction) => {
          await stored(transaction);
          indexed(transaction);
        },
      };
    }
  }

  /** Prevents storing under ids that are no longer hidden. @throws ImportEnded */
  async #assertHidden(transaction: Transaction, { first }: IdRange): Promise<void> {
    const [staged] = await transaction.all<IdRange>(this.#hidden);
    if (staged!.first !== first) throw new ImportEnded();
  }

  async #show(transaction: Transaction): Promise<void> {
    await transaction.all(this.#hide, { first: 0, last: 0 });
    await transaction.all(this.#times.end);
  }

  async #remove(range: IdRange, stop: AbortSignal): Promise<void> {
    for (let first = range.first; first <= range.last; first += REMOVED_ROWS) {
      if (stop.aborted) return;
      const part = { first, last: Math.min(range.last, first + REMOVED_ROWS - 1) };
      const isOver = await this.database.writeInBackground(async (transaction) => {
        const [staged] = await transaction.all<IdRange>(this.#hidden);
        if (staged!.first !== range.first) return true;
        await this.search.removeRange(transaction, part.first, part.last);
        await transaction.all(this.#delete, part);
        if (part.last === range.last) await this.#show(transaction);
        return false;
      });
      if (isOver) return;
    }
    this.stagedIds.range = undefined;
  }
}
