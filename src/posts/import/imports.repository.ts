import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from '../../database/compiled-query.js';
import { Database, type Transaction } from '../../database/database.js';
import type { Author } from '../../http/author.js';
import { POST_COMPANIONS, type PostCompanion, type PostsImport } from '../post-change.js';
import { type NewPost, PostsRepository } from '../posts.repository.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';

/** The ids that an import has given: the lowest and the highest. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** What is imported: to be read as often as it takes. */
export interface ImportSource {
  readonly count: number;
  batches(rows: number, maxLength: number): AsyncIterable<readonly NewPost[]>;
}

/** Runs in the transaction that makes the posts visible. */
export type OnStored<Result> = (transaction: Transaction, ids: IdRange | undefined) => Promise<Result>;

/** Some 20 ms of work for SQLite: others wait for no more than that. */
const BATCH_ROWS = 500;
const BATCH_LENGTH = 1_048_576;
const PAUSE_MS = 100;

/** Names the lock that an import on PostgreSQL holds. (It is "import" in ASCII.) */
const TRY_LOCK = CompiledQuery.fromText('SELECT pg_try_advisory_xact_lock(115918758703732) AS "isFree"');

const HIDDEN = CompiledQuery.fromText('SELECT hidden_from AS "first", hidden_to AS "last" FROM posts_state');
const HIDE = CompiledQuery.fromText('UPDATE posts_state SET hidden_from = :first, hidden_to = :last');
const ENSURE_SEQUENCE = CompiledQuery.fromText(
  `INSERT INTO sqlite_sequence (name, seq)
   SELECT 'posts', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'posts')`,
);
const TAKE_IDS = CompiledQuery.fromText(
  `UPDATE sqlite_sequence SET seq = seq + :count WHERE name = 'posts' RETURNING seq AS "last"`,
);
const INSERT = CompiledQuery.fromText(
  `INSERT INTO posts (id, title, pub_date, body, version)
   SELECT :first + key, value ->> 0, value ->> 1, value ->> 2, 1 FROM json_each(:rows)`,
);
const DELETE = CompiledQuery.fromText('DELETE FROM posts WHERE id BETWEEN :first AND :last');
const COUNT = CompiledQuery.fromText(
  'UPDATE posts_counters SET posts = posts + :count, changes = changes + 1',
);

/** The import was ended from outside: the service was started anew on the same file. */
class ImportEnded extends Error {
  constructor() {
    super('Another process has ended the import.');
  }
}

/** Stores any number of posts so that all of them are there at once, or none ever is. */
@Injectable()
export class ImportsRepository {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsRepository,
    private readonly search: SearchIndexRepository,
    @Inject(POST_COMPANIONS) private readonly companions: readonly PostCompanion[],
  ) {}

  store<Result>(
    source: ImportSource,
    author: Author,
    onStored: OnStored<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    if (source.count === 0) return this.database.write((transaction) => onStored(transaction, undefined));
    return this.database.dialect.isVisible === undefined
      ? this.#storeAtOnce(source, author, onStored, signal)
      : this.#storeHidden(source, author, onStored, signal);
  }

  /** Removes what an import has left that never came to its end; some posts at a time. */
  async removeUnfinished(): Promise<void> {
    if (this.database.dialect.isVisible === undefined) return;
    const [range] = await this.database.reader.all<IdRange>(HIDDEN);
    if (range!.last > 0) await this.#remove(range!);
  }

  /**
   * Where transactions stand in nobody's way, one is enough. But imports come one after the other here, too: so that none
   * takes ids between those of another, which the history would not tell apart.
   */
  async #storeAtOnce<Result>(
    source: ImportSource,
    author: Author,
    onStored: OnStored<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    for (;;) {
      signal.throwIfAborted();
      const outcome = await this.#tryToStoreAtOnce(source, author, onStored, signal);
      if (outcome) return outcome.result;
      await sleep(PAUSE_MS);
    }
  }

  /** @returns undefined while another import is bringing in posts */
  #tryToStoreAtOnce<Result>(
    source: ImportSource,
    author: Author,
    onStored: OnStored<Result>,
    signal: AbortSignal,
  ): Promise<{ readonly result: Result } | undefined> {
    return this.database.write(async (transaction) => {
      const [lock] = await transaction.all<{ isFree: boolean }>(TRY_LOCK);
      if (!lock!.isFree) return undefined;
      let first = Infinity;
      let last = 0;
      for await (const batch of source.batches(BATCH_ROWS, BATCH_LENGTH)) {
        signal.throwIfAborted();
        const creations = batch.map((post) => ({ post, author }));
        const stored = await this.posts.insert(transaction, creations, 'imported');
        first = Math.min(first, stored[0]!.id);
        last = Math.max(last, stored.at(-1)!.id);
      }
      await this.#record(transaction, { author, first, last });
      return { result: await onStored(transaction, { first, last }) };
    });
  }

  /**
   * SQLite has one writer at a time, so this takes many small transactions, between which others write. The ids are taken
   * first and hidden. The words come before the posts: they take longest, and without a post they are found by nobody.
   */
  async #storeHidden<Result>(
    source: ImportSource,
    author: Author,
    onStored: OnStored<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    const range = await this.#takeIds(source.count, signal);
    try {
      await this.#inBatches(source, range, signal, (transaction, first, batch) =>
        this.search.add(
          transaction,
          batch.map(({ title, body }, index) => ({ id: first + index, title, body })),
        ),
      );
      await this.#inBatches(source, range, signal, async (transaction, first, batch) => {
        const rows = JSON.stringify(batch.map(({ title, pubDate, body }) => [title, pubDate, body]));
        await transaction.all(INSERT, { first, rows });
      });
      return await this.database.write(async (transaction) => {
        await this.#assertHidden(transaction, range);
        await transaction.all(HIDE, { first: 0, last: 0 });
        await transaction.all(COUNT, { count: source.count });
        await this.#record(transaction, { author, ...range });
        return onStored(transaction, range);
      });
    } catch (error) {
      // A service that stops has no time for it: the next start has.
      if (!(error instanceof ImportEnded) && !signal.aborted) await this.#remove(range);
      throw error;
    }
  }

  async #record(transaction: Transaction, posts: PostsImport): Promise<void> {
    for (const companion of this.companions) await companion.recordImport?.(transaction, posts);
  }

  /** Waits for another import that is bringing in posts. */
  async #takeIds(count: number, signal: AbortSignal): Promise<IdRange> {
    for (;;) {
      signal.throwIfAborted();
      const range = await this.database.write(async (transaction) => {
        const [hidden] = await transaction.all<IdRange>(HIDDEN);
        if (hidden!.last > 0) return undefined;
        await transaction.all(ENSURE_SEQUENCE);
        const [taken] = await transaction.all<{ last: number }>(TAKE_IDS, { count });
        const ids = { first: taken!.last - count + 1, last: taken!.last };
        await transaction.all(HIDE, { ...ids });
        return ids;
      });
      if (range) return range;
      await sleep(PAUSE_MS);
    }
  }

  async #inBatches(
    source: ImportSource,
    range: IdRange,
    signal: AbortSignal,
    store: (transaction: Transaction, first: number, batch: readonly NewPost[]) => Promise<void>,
  ): Promise<void> {
    let first = range.first;
    for await (const batch of source.batches(BATCH_ROWS, BATCH_LENGTH)) {
      signal.throwIfAborted();
      const start = first;
      await this.database.write(async (transaction) => {
        await this.#assertHidden(transaction, range);
        await store(transaction, start, batch);
      });
      first += batch.length;
    }
  }

  /** Nothing may be stored under ids that are hidden no more. @throws ImportEnded */
  async #assertHidden(transaction: Transaction, { first }: IdRange): Promise<void> {
    const [hidden] = await transaction.all<IdRange>(HIDDEN);
    if (hidden!.first !== first) throw new ImportEnded();
  }

  async #remove(range: IdRange): Promise<void> {
    for (let first = range.first; first <= range.last; first += BATCH_ROWS) {
      const part = { first, last: Math.min(range.last, first + BATCH_ROWS - 1) };
      const isOver = await this.database.write(async (transaction) => {
        const [hidden] = await transaction.all<IdRange>(HIDDEN);
        if (hidden!.first !== range.first) return true;
        await this.search.removeRange(transaction, part.first, part.last);
        await transaction.all(DELETE, part);
        if (part.last === range.last) await transaction.all(HIDE, { first: 0, last: 0 });
        return false;
      });
      if (isOver) return;
    }
  }
}
