import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Database, type Sql, sql, type Transaction } from '../database/index.js';
import type { Client } from '../limits/index.js';
import { areWritten, contentsOf, type ListedPost, type WrittenPosts } from '../posts/lists/listed-post.js';
import { PostPagesRepository } from '../posts/lists/post-pages.repository.js';
import { PostCollection } from '../posts/post-collection.entity.js';
import { Post } from '../posts/post.entity.js';
import {
  type PostChange,
  type PostChangeListener,
  PostListeners,
  type SentPost,
} from '../posts/writes/post-changes.js';
import { TERMS_VERSION, wordsOfPost } from './fold.js';
import { type IndexRow, searchQueries, type SearchQueries } from './search-queries.js';

/** How many posts one transaction reindexes: some 10 ms on SQLite, during which other writes wait. */
const REBUILT_ROWS = 250;
const REBUILT_FIELDS = ['title', 'body'] as const;

/** The texts that the index stores for a post. */
type Words = readonly string[];

/** The id of a post, and the texts that the index stores for it. */
interface IndexedPost extends Pick<Post, 'id'> {
  readonly words: Words;
}

/** The index of the words of all posts. It is updated in the transaction that changes the posts. */
@Injectable()
export class SearchIndexRepository implements PostChangeListener<Words>, OnModuleInit {
  readonly #queries: SearchQueries;
  readonly #versions: Sql<Pick<Post, 'id' | 'version'>>;
  #wasCurrent = false;

  constructor(
    private readonly database: Database,
    private readonly pages: PostPagesRepository,
    listeners: PostListeners,
  ) {
    listeners.add(this);
    this.#queries = searchQueries(database.dialect);
    this.#versions = sql`
      SELECT id AS "id", version AS "version" FROM posts WHERE id ${database.dialect.isOneOf(':ids')}
      ${sql.raw(database.dialect.forUpdate)}
    `;
  }

  /** Whether this version of the service had built the index at the start. Without posts, the index counts as current. */
  get wasCurrent(): boolean {
    return this.#wasCurrent;
  }

  /** In commands, too: otherwise, the service would rebuild the index of posts that a command has stored first. */
  async onModuleInit(): Promise<void> {
    this.#wasCurrent = await this.#markIfEmpty();
  }

  /** For a long post, it yields to the event loop in between. */
  prepare(post: SentPost, client?: Client): Promise<Words> {
    return wordsOfPost(post, this.#queries.maxTextLength, client);
  }

  onChanges(
    transaction: Transaction,
    changes: readonly PostChange[],
    prepared: readonly (Words | undefined)[],
  ): void {
    const gone: number[] = [];
    const added: IndexedPost[] = [];
    for (const [index, { before, after }] of changes.entries()) {
      if (before && before.title === after?.title && before.body === after.body) continue;
      if (before && !(after && this.#queries.insertReplaces)) gone.push(before.id);
      if (after) added.push({ id: after.id, words: prepared[index]! });
    }
    this.#send(transaction, gone, added);
  }

  #send(transaction: Transaction, gone: readonly number[], added: IndexedPost[]): void {
    if (gone.length > 0) transaction.send(this.#queries.remove, { ids: JSON.stringify(gone) });
    if (added.length === 0) return;
    // FTS5 writes a segment whenever an id is lower than the one before.
    added.sort((a, b) => a.id - b.id);
    const rows: IndexRow[] = [];
    for (const { id, words } of added)
      for (const [part, text] of words.entries()) rows.push([id, part, text]);
    transaction.send(this.#queries.insert, { rows: JSON.stringify(rows) });
  }

  /** Marks the index as current when there are no posts. @returns whether it is current */
  async #markIfEmpty(): Promise<boolean> {
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
   *
   * @param onProgress called with the number of posts that are done
   * @throws the reason of the signal, after a batch
   */
  async rebuild(onProgress?: (posts: number) => void, signal?: AbortSignal): Promise<void> {
    const { reader } = this.database;
    const list = { filter: {}, ordering: 'id', fields: REBUILT_FIELDS, rows: REBUILT_ROWS } as const;
    let done = 0;
    for (let after: ListedPost['sortKey'] | undefined, length = REBUILT_ROWS; length === REBUILT_ROWS;) {
      const { posts, items } = await this.pages.find({ ...list, after }, reader);
      signal?.throwIfAborted();
      if (areWritten(posts, list)) await this.#reindex({ posts, items });
      // One by one, because they are in memory together.
      else for (const post of posts) await this.#reindex(await this.pages.withTexts([post], list, reader));
      length = posts.length;
      after = posts.at(-1)?.sortKey;
      done += length;
      onProgress?.(done);
    }
    await this.database.write(({ manager }) =>
      manager.updateAll(PostCollection, { searchVersion: TERMS_VERSION }),
    );
  }

  /**
   * Extracts the words before the transaction, because this takes seconds for a large body. Skips posts that were
   * changed in between: the change has indexed them.
   */
  async #reindex({ posts: listed, items }: WrittenPosts): Promise<void> {
    const posts: (IndexedPost & Pick<Post, 'version'>)[] = [];
    const contents = contentsOf<Pick<Post, 'title' | 'body'>>(items);
    for (const [place, { id, version }] of listed.entries()) {
      posts.push({ id, version, words: await wordsOfPost(contents[place]!, this.#queries.maxTextLength) });
      // Requests run between two posts.
      await setImmediate();
    }
    await this.database.writeAtLength(async (transaction) => {
      const ids = JSON.stringify(posts.map(({ id }) => id));
      const found = await transaction.all(this.#versions, { ids });
      const versions = new Map(found.map(({ id, version }) => [id, version]));
      const same = posts.filter(({ id, version }) => versions.get(id) === version);
      this.#send(
        transaction,
        same.map(({ id }) => id),
        same,
      );
    });
  }
}
