import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Database, type Transaction } from '../database/database.js';
import { raw, type Sql, sql } from '../database/sql.js';
import { keysetBatches, type KeysetWalk } from '../paging/keyset-page.js';
import type { ListedPost } from '../posts/lists/listed-post.js';
import { PostPagesRepository } from '../posts/lists/post-pages.repository.js';
import { PostCollection } from '../posts/post-collection.entity.js';
import { Post } from '../posts/post.entity.js';
import { type PostChange, type PostChangeListener, PostListeners } from '../posts/writes/post-changes.js';
import { TERMS_VERSION, termsOfPost } from './fold.js';
import { type IndexRow, searchQueries, type SearchQueries } from './search-queries.js';

/** How many posts one transaction reindexes: some 10 ms on SQLite, during which other writes wait. */
const REBUILT_ROWS = 250;
const REBUILT_FIELDS = ['title', 'body'] as const;

/** The fields of a post that the index needs, and its words, if they are known already. */
type Searchable = Pick<Post, 'id' | 'title' | 'body'> & Pick<PostChange, 'words'>;

/** The index of the words of all posts. It is updated in the transaction that changes the posts. */
@Injectable()
export class SearchIndexRepository implements PostChangeListener {
  readonly #queries: SearchQueries;
  readonly #versions: Sql<Pick<Post, 'id' | 'version'>>;
  #onProgress: ((posts: number) => void) | undefined;
  #rebuilding: Promise<boolean> | undefined;
  #isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly pages: PostPagesRepository,
    listeners: PostListeners,
  ) {
    listeners.add(this);
    this.#queries = searchQueries(database.dialect);
    this.#versions = sql`
      SELECT id AS "id", version AS "version" FROM posts WHERE id ${database.dialect.isOneOf(':ids')}
      ${raw(database.dialect.forUpdate)}
    `;
  }

  async onChanges(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    const { remove, insertReplaces } = this.#queries;
    const gone: number[] = [];
    const added: Searchable[] = [];
    for (const { before, after, words } of changes) {
      if (before && before.title === after?.title && before.body === after.body) continue;
      if (before && !(after && insertReplaces)) gone.push(before.id);
      if (after) added.push({ id: after.id, title: after.title, body: after.body, words });
    }
    if (gone.length > 0) transaction.send(remove, { ids: JSON.stringify(gone) });
    if (added.length === 0) return;
    // FTS5 writes a segment whenever an id is lower than the one before.
    const rows = await this.#rowsOf(added.toSorted((a, b) => a.id - b.id));
    transaction.send(this.#queries.insert, { rows: JSON.stringify(rows) });
  }

  async #rowsOf(posts: readonly Searchable[]): Promise<readonly IndexRow[]> {
    const rows: IndexRow[] = [];
    for (const post of posts) {
      // Requests run between two posts.
      if (!post.words) await setImmediate();
      const words = post.words ?? (await this.wordsOf(post));
      for (const [index, part] of words.entries()) rows.push([post.id, index, part]);
    }
    return rows;
  }

  /** The texts that the index stores for a post. For a long post it yields to the event loop in between. */
  async wordsOf(post: Pick<Post, 'title' | 'body'>): Promise<readonly string[]> {
    return this.#queries.textsOf(await termsOfPost(post));
  }

  /** Whether this version of the service built the index. Without posts, the index counts as current. */
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
   * Rebuilds the index in batches. Posts can be written meanwhile; searches find a post once its batch is done.
   * Concurrent calls wait for the same rebuild.
   *
   * @param onProgress called with the number of posts that are done; that of the last call counts
   * @returns whether the index is complete; false after {@link stopRebuild}
   */
  rebuild(onProgress?: (posts: number) => void): Promise<boolean> {
    this.#onProgress = onProgress;
    this.#rebuilding ??= this.#rebuildAll().finally(() => (this.#rebuilding = undefined));
    return this.#rebuilding;
  }

  /** Ends a rebuild after its current batch. */
  async stopRebuild(): Promise<void> {
    this.#isStopped = true;
    await this.#rebuilding?.catch(() => undefined);
  }

  async #rebuildAll(): Promise<boolean> {
    const { reader } = this.database;
    const list = { filter: {}, ordering: 'id', fields: REBUILT_FIELDS } as const;
    const read = async (walk: KeysetWalk): Promise<ListedPost[]> =>
      (await this.pages.find({ ...list, ...walk }, reader)).posts;
    let done = 0;
    for await (const posts of keysetBatches({ rows: REBUILT_ROWS }, read, ({ sortKey }) => sortKey)) {
      if (this.#isStopped) return false;
      await this.#reindex(posts.filter(({ json }) => json !== ''));
      // One by one, because they are in memory together.
      for (const post of posts.filter(({ json }) => json === ''))
        await this.#reindex(await this.pages.withTexts([post], REBUILT_FIELDS, reader));
      done += posts.length;
      this.#onProgress?.(done);
    }
    await this.database.write(({ manager }) =>
      manager.updateAll(PostCollection, { searchVersion: TERMS_VERSION }),
    );
    return true;
  }

  /**
   * Extracts the words before the transaction, because this takes seconds for a large body. Skips posts that were
   * changed in between: the change has indexed them.
   */
  async #reindex(listed: readonly ListedPost[]): Promise<void> {
    const posts = listed.map(({ id, version, json }) => ({
      id,
      version,
      ...(JSON.parse(json) as Pick<Post, 'title' | 'body'>),
    }));
    const rows = await this.#rowsOf(posts);
    await this.database.writeAtLength(async (transaction) => {
      const ids = JSON.stringify(posts.map(({ id }) => id));
      const found = await transaction.all(this.#versions, { ids });
      const versions = new Map(found.map(({ id, version }) => [id, version]));
      const same = posts.filter(({ id, version }) => versions.get(id) === version);
      if (same.length === 0) return;
      const unchanged = new Set(same.map(({ id }) => id));
      transaction.send(this.#queries.remove, { ids: JSON.stringify([...unchanged]) });
      const ofUnchanged = rows.filter(([id]) => unchanged.has(id));
      transaction.send(this.#queries.insert, { rows: JSON.stringify(ofUnchanged) });
    });
  }
}
