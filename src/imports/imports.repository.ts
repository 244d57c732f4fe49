import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type QueryValues } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { tryLock } from '../database/database-lock.js';
import type { Author } from '../http/request/author.js';
import type { IdRange } from '../posts/writes/staged-ids.js';
import {
  type TransactionHooks,
  POST_CHANGE_LISTENERS,
  type PostChangeListener,
} from '../posts/writes/post-change.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { ahead, inBatches, withIds } from './batches.js';
import { StagedImportsRepository } from './staged-imports.repository.js';
import { type ImportSource, type ImportWatch, throwIfEnded } from './import-source.js';

/** Concludes in the transaction that makes the posts visible. */
type ImportHooks<Result> = TransactionHooks<IdRange | undefined, Result>;

/** How many posts PostgreSQL is given at a time: some 200 ms of work. */
const SENT_ROWS = 2_000;
const PAUSE_MS = 100;

/** Names the lock that an import on PostgreSQL holds. (It is "import" in ASCII.) */
const LOCK = 0x696d706f7274n;

/**
 * Stores `:titles`, `:dates` and `:bodies`, of which the first have the place `:start` in the import, and what the index
 * is to hold of them by their `:places`. (Arrays take the server 10 µs a post less than JSON.) Few statements are faster: a
 * trigger counts the posts of each, and the counter's old values stay on the way of the next until the transaction is over.
 */
const INSERT = CompiledQuery.fromText(`
  WITH given AS MATERIALIZED (
    SELECT nextval(pg_get_serial_sequence('posts', 'id')) AS id, CAST(:start AS bigint) + number - 1 AS place,
      title, pub_date, body
    FROM unnest(CAST(:titles AS text[]), CAST(:dates AS text[]), CAST(:bodies AS text[]))
      WITH ORDINALITY AS given (title, pub_date, body, number)
  ), stored AS (
    INSERT INTO posts (id, title, pub_date, body, version) OVERRIDING SYSTEM VALUE
    SELECT id, title, pub_date, body, 1 FROM given
  ), indexed AS (
    INSERT INTO posts_search (post_id, part, words)
    SELECT given.id, indexed.part, array_to_tsvector(string_to_array(indexed.words, ' '))
    FROM unnest(CAST(:places AS bigint[]), CAST(:parts AS integer[]), CAST(:words AS text[]))
      AS indexed (place, part, words)
    JOIN given USING (place)
  )
  SELECT min(id) AS "first", max(id) AS "last" FROM given
`);

/** Stores any number of posts so that all of them are there at once, or none ever is. */
@Injectable()
export class ImportsRepository {
  constructor(
    private readonly database: Database,
    private readonly search: SearchIndexRepository,
    private readonly stagedImports: StagedImportsRepository,
    @Inject(POST_CHANGE_LISTENERS) private readonly listeners: readonly PostChangeListener[],
  ) {}

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
      const outcome = await this.#tryToStoreAtOnce(source, hooks, watch);
      if (outcome) return outcome.result;
      await sleep(PAUSE_MS);
    }
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
      if (!(await tryLock(transaction, this.database.dialect, LOCK))) return undefined;
      let first = Infinity;
      let last = 0;
      let done = 0;
      for await (const { count, values } of ahead(this.#batchesOf(source))) {
        throwIfEnded(watch);
        const [ids] = await transaction.all<IdRange>(INSERT, values);
        this.search.noteInsertion();
        first = Math.min(first, ids!.first);
        last = Math.max(last, ids!.last);
        watch.onProgress?.((done += count));
      }
      return { result: await after(transaction, { first, last }) };
    });
  }

  /** What {@link INSERT} is to be given, made ready while the one before it runs. */
  async *#batchesOf(source: ImportSource): AsyncGenerator<{ count: number; values: QueryValues }> {
    let start = 0;
    for await (const posts of inBatches(source.posts(), () => SENT_ROWS)) {
      const rows = (await this.search.rowsYielding(withIds(posts, start))).flat();
      const values = {
        start,
        titles: arrayOf(posts.map(({ title }) => title)),
        dates: arrayOf(posts.map(({ pubDate }) => pubDate)),
        bodies: arrayOf(posts.map(({ body }) => body)),
        places: arrayOf(rows.map(([place]) => place!)),
        parts: arrayOf(rows.map(([, part]) => part!)),
        words: arrayOf(rows.map(([, , words]) => words!)),
      };
      yield { count: posts.length, values };
      start += posts.length;
    }
  }
}

/** How PostgreSQL writes an array (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
function arrayOf(items: readonly (string | number)[]): string {
  return `{${items.map((item) => `"${String(item).replaceAll(/["\\]/g, String.raw`\$&`)}"`).join()}}`;
}
