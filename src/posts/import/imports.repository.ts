import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from '../../database/compiled-query.js';
import { Database, type Transaction } from '../../database/database.js';
import type { Author } from '../../http/author.js';
import type { IdRange } from '../hidden-ids.js';
import { type Around, POST_COMPANIONS, type PostCompanion } from '../post-change.js';
import { PostsRepository } from '../posts.repository.js';
import { SearchIndexRepository } from '../search/search-index.repository.js';
import { ahead, inBatches } from './batches.js';
import { HiddenImportsRepository } from './hidden-imports.repository.js';
import { type ImportSource, type ImportWatch, throwIfEnded } from './import-source.js';

/** Concludes in the transaction that makes the posts visible. */
type AroundImport<Result> = Around<IdRange | undefined, Result>;

/** How many posts PostgreSQL is given at a time. */
const SENT_ROWS = 512;
const PAUSE_MS = 100;

/** Names the lock that an import on PostgreSQL holds. (It is "import" in ASCII.) */
const TRY_LOCK = CompiledQuery.fromText('SELECT pg_try_advisory_xact_lock(115918758703732) AS "isFree"');

/** Stores any number of posts so that all of them are there at once, or none ever is. */
@Injectable()
export class ImportsRepository {
  constructor(
    private readonly database: Database,
    private readonly posts: PostsRepository,
    private readonly search: SearchIndexRepository,
    private readonly hiddenImports: HiddenImportsRepository,
    @Inject(POST_COMPANIONS) private readonly companions: readonly PostCompanion[],
  ) {}

  store<Result>(
    source: ImportSource,
    author: Author,
    { begin, conclude }: AroundImport<Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    if (source.count === 0) return this.database.write((transaction) => conclude(transaction, undefined));
    const onComplete = async (transaction: Transaction, ids: IdRange): Promise<Result> => {
      for (const companion of this.companions)
        await companion.recordImport?.(transaction, { author, ...ids });
      return conclude(transaction, ids);
    };
    return this.database.dialect.isVisible === undefined
      ? this.#storeAtOnce(source, author, { begin, conclude: onComplete }, watch)
      : this.hiddenImports.store(source, onComplete, watch);
  }

  /** Removes what an import has left that never came to its end; some posts at a time. */
  async removeUnfinished(): Promise<void> {
    if (this.database.dialect.isVisible !== undefined) await this.hiddenImports.removeUnfinished();
  }

  /**
   * Where transactions stand in nobody's way, one is enough. But imports come one after the other here, too: so that none
   * takes ids between those of another, which the history would not tell apart.
   */
  async #storeAtOnce<Result>(
    source: ImportSource,
    author: Author,
    around: Around<IdRange, Result>,
    watch: ImportWatch,
  ): Promise<Result> {
    for (;;) {
      throwIfEnded(watch);
      const outcome = await this.#tryToStoreAtOnce(source, author, around, watch);
      if (outcome) return outcome.result;
      await sleep(PAUSE_MS);
    }
  }

  /** @returns undefined while another import is bringing in posts */
  #tryToStoreAtOnce<Result>(
    source: ImportSource,
    author: Author,
    { begin, conclude }: Around<IdRange, Result>,
    watch: ImportWatch,
  ): Promise<{ readonly result: Result } | undefined> {
    return this.database.write(async (transaction) => {
      const [lock] = await transaction.all<{ isFree: boolean }>(TRY_LOCK);
      if (!lock!.isFree) return undefined;
      await begin(transaction);
      let first = Infinity;
      let last = 0;
      let done = 0;
      for await (const posts of ahead(inBatches(source.posts(), () => SENT_ROWS))) {
        throwIfEnded(watch);
        const creations = posts.map((post) => ({ post, author }));
        const stored = await this.search.whilePrepared(posts, () =>
          this.posts.insert(transaction, creations, 'imported'),
        );
        first = Math.min(first, stored[0]!.id);
        last = Math.max(last, stored.at(-1)!.id);
        watch.onProgress?.((done += stored.length));
      }
      return { result: await conclude(transaction, { first, last }) };
    });
  }
}
