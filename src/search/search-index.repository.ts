import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { SelectQueryBuilder } from 'typeorm';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import type { PostChange, PostChangeListener } from '../posts/writes/post-change.js';
import { IS_VISIBLE } from '../posts/writes/staged-ids.js';
import { PostCollection } from '../posts/post-collection.entity.js';
import { Post } from '../posts/post.entity.js';
import { isLong, TERMS_VERSION } from './fold.js';
import { BatchedWords, IndexMerges } from './index-upkeep.js';
import { LongTexts } from './long-texts.js';
import { type IndexRows, searchQueries, type SearchQueries } from './search-queries.js';

/** How many posts one transaction indexes anew: some 10 ms on SQLite, for which others have to wait. */
const REBUILT_ROWS = 500;
/** What their bodies have at the most, unless one alone has more: they are in memory together. */
const REBUILT_BYTES = 4 * 1_024 * 1_024;

/** So long others wait for their turn: requests, and the database between two statements of an import. */
const MAX_HOLD_MS = 1;

/** What has to be known of a post to index it. */
type Searchable = Pick<Post, 'id' | 'title' | 'body'>;

/** A stretch of ids: those that are higher than the one, up to the other. */
interface Stretch {
  readonly after: number;
  readonly last: number;
}

/** The index of the words of all posts. It changes in the transaction that changes the posts. */
@Injectable()
export class SearchIndexRepository implements PostChangeListener {
  readonly #queries: SearchQueries;
  readonly #versions: CompiledQuery;
  readonly #longTexts = new LongTexts();
  readonly #batched: BatchedWords;
  readonly #merges = new IndexMerges();
  readonly #onRebuilt = new Set<(posts: number) => void>();
  #rebuilding: Promise<void> | undefined;

  constructor(private readonly database: Database) {
    this.#queries = searchQueries(database.dialect);
    const { sort } = this.#queries;
    this.#batched = new BatchedWords(sort && (() => database.write((transaction) => transaction.all(sort))));
    this.#versions = CompiledQuery.from(
      selectProperties(database.reader.manager, Post, 'post', ['id', 'version']).where(
        'post.id > :after AND post.id <= :last',
      ),
      ['after', 'last'],
      database.dialect.forUpdate,
    );
  }

  async onChanges(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    const worded = changes.filter(({ before, after }) => !before || !after || !hasSameWords(before, after));
    const gone = worded.flatMap(({ before }) => (before ? [before.id] : []));
    if (gone.length > 0) await transaction.all(this.#queries.remove, { ids: JSON.stringify(gone) });
    await this.add(
      transaction,
      worded.flatMap(({ after }) => (after ? [after] : [])),
    );
  }

  /** Adds posts that are not in the index. */
  async add(transaction: Transaction, posts: readonly Searchable[]): Promise<void> {
    if (posts.length === 0) return;
    const rows = posts.some(({ body }) => isLong(body))
      ? await this.rowsYielding(posts)
      : posts.map((post) => this.#rowsOf(post));
    await this.insertion(rows)(transaction);
    const { merge } = this.#queries;
    const pages = merge && this.#merges.due(lengthOf(posts));
    if (pages) await transaction.all(merge, { pages });
  }

  /**
   * What the index is to hold of posts: to be found out before the transaction that inserts them. Others have their turn
   * meanwhile.
   */
  async rowsYielding(posts: readonly Searchable[]): Promise<readonly IndexRows[]> {
    const rows: IndexRows[] = [];
    let resumedAt = performance.now();
    for (const post of posts) {
      const { id, title, body } = post;
      if (isLong(body)) rows.push(this.#queries.rowsOf(id, await this.#longTexts.termsInTime(title, body)));
      else rows.push(this.#rowsOf(post));
      if (performance.now() - resumedAt < MAX_HOLD_MS) continue;
      await setImmediate();
      resumedAt = performance.now();
    }
    return rows;
  }

  #rowsOf({ id, title, body }: Searchable): IndexRows {
    return this.#queries.rowsOf(id, this.#longTexts.termsOf(title, body));
  }

  /**
   * Does the work once the words of those posts that are long were looked for, a part at a time: in the transaction that
   * stores such a post it would take seconds, in which nobody else could do anything.
   */
  withExtractedTerms<Result>(
    posts: readonly Pick<Post, 'title' | 'body'>[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.#longTexts.whileKept(posts, work);
  }

  /** Makes ready what adds what {@link rowsInTime} has said of posts that are not in the index. */
  insertion(posts: readonly IndexRows[]): (transaction: Transaction) => Promise<void> {
    const rows = JSON.stringify(posts.flat());
    return async (transaction) => {
      await transaction.all(this.#queries.insert, { rows });
      this.#batched.note();
    };
  }

  /** Takes posts out of the index, whether or not they are in it. */
  async removeRange(transaction: Transaction, first: number, last: number): Promise<void> {
    await transaction.all(this.#queries.removeRange, { first, last });
  }

  /** Tells whether the index was made by this version of the service; an index of no posts is. */
  async isCurrent(): Promise<boolean> {
    return this.database.write(async ({ manager }) => {
      const { searchVersion } = await manager.findOneByOrFail(PostCollection, {});
      if (searchVersion === TERMS_VERSION) return true;
      if (await manager.exists(Post)) return false;
      await manager.updateAll(PostCollection, { searchVersion: TERMS_VERSION });
      return true;
    });
  }

  /**
   * Makes the index anew, some posts at a time: meanwhile posts are written, and found if their turn has come. Whoever
   * asks for it while it is being done waits for that.
   *
   * @param onProgress called with the number of posts that are done
   */
  async rebuild(onProgress: (posts: number) => void): Promise<void> {
    this.#onRebuilt.add(onProgress);
    this.#rebuilding ??= this.#rebuildAll().finally(() => (this.#rebuilding = undefined));
    try {
      await this.#rebuilding;
    } finally {
      this.#onRebuilt.delete(onProgress);
    }
  }

  async #rebuildAll(): Promise<void> {
    let done = 0;
    for (let after = 0; ;) {
      const stretch = await this.#nextStretch(after);
      if (!stretch) break;
      done += await this.#rebuildStretch(stretch);
      after = stretch.last;
      for (const onProgress of this.#onRebuilt) onProgress(done);
    }
    await this.database.write(({ manager }) =>
      manager.updateAll(PostCollection, { searchVersion: TERMS_VERSION }),
    );
  }

  async #nextStretch(after: number): Promise<Stretch | undefined> {
    const sizes = await this.#visiblePosts(['id'])
      .addSelect('octet_length(post.body)', 'bytes')
      .andWhere('post.id > :after', { after })
      .orderBy('post.id')
      .limit(REBUILT_ROWS)
      .getRawMany<{ id: number; bytes: number }>();
    let sum = 0;
    const tooMany = sizes.findIndex(({ bytes }, index) => (sum += bytes) > REBUILT_BYTES && index > 0);
    const last = sizes.at(tooMany < 0 ? -1 : tooMany - 1)?.id;
    return last === undefined ? undefined : { after, last };
  }

  /**
   * The words are found out before the transaction, which would take seconds for a large body. A post that was changed
   * since is left alone: it was indexed by what changed it.
   *
   * @returns how many posts there were
   */
  async #rebuildStretch({ after, last }: Stretch): Promise<number> {
    const posts = await this.#visiblePosts(['id', 'version', 'title', 'body'])
      .andWhere('post.id > :after AND post.id <= :last', { after, last })
      .getRawMany<Searchable & Pick<Post, 'version'>>();
    const rows = await this.rowsYielding(posts);
    await this.database.writeInBackground(async (transaction) => {
      const found = await transaction.all<Pick<Post, 'id' | 'version'>>(this.#versions, { after, last });
      const versions = new Map(found.map(({ id, version }) => [id, version]));
      const isSame = posts.map(({ id, version }) => versions.get(id) === version);
      const ids = posts.filter((_, index) => isSame[index]).map(({ id }) => id);
      if (ids.length === 0) return;
      await transaction.all(this.#queries.remove, { ids: JSON.stringify(ids) });
      await this.insertion(rows.filter((_, index) => isSame[index]))(transaction);
    });
    return posts.length;
  }

  #visiblePosts(properties: readonly (keyof Post)[]): SelectQueryBuilder<Post> {
    return selectProperties(this.database.reader.manager, Post, 'post', properties).where(IS_VISIBLE);
  }
}

function lengthOf(posts: readonly Searchable[]): number {
  return posts.reduce((length, { title, body }) => length + title.length + body.length, 0);
}

function hasSameWords(a: Post, b: Post): boolean {
  return a.title === b.title && a.body === b.body;
}
