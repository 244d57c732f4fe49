import { Inject, Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type Transaction, type Work } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import { StagedIds } from './writes/staged-ids.js';
import { POST_CHANGE_LISTENERS, type PostChange, type PostChangeListener } from './writes/post-change.js';
import { PostCollection, PostCounter } from './post-collection.entity.js';
import { type NewPost, Post } from './post.entity.js';
import type { Ordering } from './lists/post-ordering.js';
import { isEmpty, type PageRequest, type PostFilter } from './lists/post-selection.js';
import { SearchPages, type Slowly } from '../search/search-pages.js';
import { searchQueries } from '../search/search-queries.js';
import { PostWriteQueries } from './writes/post-write-queries.js';
import { PostPageQueries } from './lists/post-page-queries.js';
import { PostPages } from './lists/post-pages.js';

/** A post to be stored, and in whose name. */
export interface PostCreation {
  readonly post: NewPost;
  readonly author: Author;
}

/** What is looked at for no longer than 5 ms. */
const FEW_POSTS = 1_000;

/** What is known of all posts together. */
export interface PostsState {
  readonly count: number;
  /** Grows with every change of any post. */
  readonly changes: number;
  /** Names this collection among all others, for ever: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The time of the last change; see writes/change-time.ts. */
  readonly modified: string;
  /** That of a change before it, where several are counted at the same time. */
  readonly modifiedBefore: string | null;
  /** When the import that runs began, from which time its posts will be; empty when there is none. */
  readonly importingSince: string;
  /** 1 when others are changing posts that are not seen yet. */
  readonly hasWritesInFlight: 0 | 1;
}

/** The one place that builds queries on posts. Reads see what is committed; writes take the transaction they are part of. */
@Injectable()
export class PostsRepository {
  readonly #byId: CompiledQuery;
  readonly #byIdForUpdate: CompiledQuery;
  readonly #byIds: CompiledQuery;
  readonly #byIdsForUpdate: CompiledQuery;
  readonly #beginnings: CompiledQuery;
  readonly #bodyBytes: CompiledQuery;
  readonly #state: CompiledQuery;
  readonly #queries: PostPageQueries;
  readonly #writes: PostWriteQueries;
  readonly #pages: PostPages;
  readonly #searchPages: SearchPages;

  constructor(
    private readonly database: Database,
    @Inject(POST_CHANGE_LISTENERS) private readonly listeners: readonly PostChangeListener[],
    stagedIds: StagedIds,
  ) {
    const { dialect, reader } = database;
    const posts = reader.manager.getRepository(Post);
    this.#queries = new PostPageQueries(posts, dialect);
    this.#writes = new PostWriteQueries(database);
    this.#pages = new PostPages(this.#queries, stagedIds);
    this.#searchPages = new SearchPages(this.#pages, this.#queries, searchQueries(dialect));
    const byId = this.#queries.select().andWhere('post.id = :id');
    this.#byId = CompiledQuery.from(byId, ['id']);
    this.#byIdForUpdate = CompiledQuery.from(byId, ['id'], dialect.forUpdate);
    const isOneOf = dialect.isOneOf(':ids');
    const byIds = this.#queries
      .select(undefined, { leavesOutLargeBodies: true })
      .andWhere(`post.id ${isOneOf}`);
    this.#byIds = CompiledQuery.from(byIds, ['ids']);
    this.#byIdsForUpdate = CompiledQuery.from(byIds.orderBy('post.id'), ['ids'], dialect.forUpdate);
    this.#beginnings = CompiledQuery.from(
      this.#queries
        .select(['id'])
        .addSelect('substr(post.body, 1, :codePoints)', 'beginning')
        .andWhere(`post.id ${isOneOf}`),
      ['ids', 'codePoints'],
    );
    this.#bodyBytes = CompiledQuery.from(
      posts
        .createQueryBuilder('post')
        .select('CAST(coalesce(sum(octet_length(post.body)), 0) AS bigint)', 'bytes')
        .where(`post.id ${isOneOf}`),
      ['ids'],
    );
    this.#state = CompiledQuery.from(
      reader.manager
        .createQueryBuilder(PostCounter, 'counter')
        .select('CAST(sum(counter.posts) AS bigint)', 'count')
        .addSelect('CAST(sum(counter.changes) AS bigint)', 'changes')
        .addSelect((query) => query.select('collection.feedId').from(PostCollection, 'collection'), 'feedId')
        .addSelect('max(counter.modified)', 'modified')
        .addSelect(
          (query) =>
            query
              .select('other.modified')
              .from(PostCounter, 'other')
              .orderBy('other.modified', 'DESC')
              .offset(1)
              .limit(1),
          'modifiedBefore',
        )
        .addSelect(
          (query) => query.select('import.importingSince').from(PostCollection, 'import'),
          'importingSince',
        )
        .addSelect(dialect.hasWritesInFlight, 'hasWritesInFlight'),
      [],
    );
  }

  /** Runs the work as one transaction, through the writer. */
  transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.database.write(work);
  }

  /** Reads what is committed, or what a snapshot shows. */
  async findById(id: number, within: Queryable = this.database.reader): Promise<Post | undefined> {
    const [post] = await within.all<Post>(this.#byId, { id });
    return post;
  }

  /** Those of the posts that there are, in any order; without their bodies where those are large. */
  findByIds(ids: readonly number[]): Promise<(Omit<Post, 'body'> & { readonly body: string | null })[]> {
    return this.database.reader.all(this.#byIds, { ids: JSON.stringify(ids) });
  }

  /** Reads a post that the transaction is going to replace or delete: nobody else does so before it is over. */
  async findForUpdate(transaction: Transaction, id: number): Promise<Post | undefined> {
    const [post] = await transaction.all<Post>(this.#byIdForUpdate, { id });
    return post;
  }

  /**
   * The posts of a page, in its order. Fields that were not asked for are not read, but for the id and the version.
   *
   * @param slowly runs what turns out to be slow
   */
  findPage(
    page: PageRequest,
    within: Queryable = this.database.reader,
    slowly: Slowly = (work) => work(within),
  ): Promise<Partial<Post>[]> {
    const { search } = page.filter;
    if (search === undefined) return this.#pages.read(page, within);
    return this.#searchPages.find(search, page, within, slowly);
  }

  /** The size of the bodies of these posts, all together. */
  async bodyBytes(ids: readonly number[], within: Queryable = this.database.reader): Promise<number> {
    const [row] = await within.all<{ bytes: number }>(this.#bodyBytes, { ids: JSON.stringify(ids) });
    return row!.bytes;
  }

  /** The number of posts that the filter lets through: kept for all of them, counted for some, which is slow. */
  async count(filter: PostFilter, within: Queryable = this.database.reader): Promise<number> {
    if (isEmpty(filter)) return (await this.readState(within)).count;
    if (filter.search !== undefined) return this.#searchPages.count(filter.search, filter, within);
    const { query, values } = this.#queries.count(filter);
    const [row] = await within.all<{ count: number }>(query, values);
    return row!.count;
  }

  /**
   * The ids of the posts that pass a filter by id, title or time, if they are few: each may be looked at on the reader.
   * (SQLite may prefer an index of the list's order to that of the filter, and walk through all posts.)
   */
  async findFew(filter: PostFilter): Promise<readonly number[] | undefined> {
    const { ids, title, publishedFrom, publishedBefore, modifiedFrom } = filter;
    if (ids) return ids;
    if (title !== undefined) return this.#idsOfFew({ title }, 'id');
    const few = modifiedFrom === undefined ? undefined : await this.#idsOfFew({ modifiedFrom }, 'modified');
    return few ?? this.#idsOfFew({ publishedFrom, publishedBefore }, 'pub_date');
  }

  async #idsOfFew(filter: PostFilter, ordering: Ordering): Promise<readonly number[] | undefined> {
    const page = { filter, ordering, backwards: false, after: undefined, fields: ['id'] } as const;
    const [beyond] = await this.findPage({ ...page, offset: FEW_POSTS, rows: 1 });
    if (beyond) return undefined;
    return (await this.findPage({ ...page, offset: 0, rows: FEW_POSTS })).map(({ id }) => id!);
  }

  /** How many of the posts that a search finds are of each date (`2026-11-20`, or at the ends of months to the second), in no order. */
  countByDate(filter: PostFilter, within: Queryable): Promise<{ date: string; posts: number }[]> {
    return this.#searchPages.countByDate(filter.search!, filter, within);
  }

  /** The beginnings of the bodies of those of the posts that are there, by their ids. */
  async findBeginnings(ids: readonly number[], codePoints: number): Promise<Map<number, string>> {
    const values = { ids: JSON.stringify(ids), codePoints };
    const rows = await this.database.reader.all<{ id: number; beginning: string }>(this.#beginnings, values);
    return new Map(rows.map(({ id, beginning }) => [id, beginning]));
  }

  async readState(within: Queryable = this.database.reader): Promise<PostsState> {
    const [state] = await within.all<PostsState>(this.#state);
    return state!;
  }

  /** Stores posts, in their order, under ids that ascend. */
  async insert(transaction: Transaction, creations: readonly PostCreation[]): Promise<Post[]> {
    const rows = await this.#writes.insertion.run<Pick<Post, 'id' | 'modified'>>(
      transaction,
      creations.map(({ post }) => ({ ...post, version: 1 })),
    );
    // The order in which RETURNING tells of rows is no promise; that of the ids is.
    const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
    const { modified } = rows[0]!;
    const stored = creations.map(({ post }, index) => ({ ...post, id: ids[index]!, version: 1, modified }));
    await this.#notify(
      transaction,
      stored.map((after, index) => ({
        action: 'created',
        author: creations[index]!.author,
        before: undefined,
        after,
      })),
    );
    return stored;
  }

  /** Replaces the post if it still is as it was read. @returns undefined when it is not */
  async replace(
    transaction: Transaction,
    before: Post,
    replacement: NewPost,
    author: Author,
  ): Promise<Post | undefined> {
    const { id, version } = before;
    const values = { ...replacement, id, version, before: before.modified };
    const [row] = await transaction.all<Pick<Post, 'version' | 'modified'>>(this.#writes.update, values);
    if (!row) return undefined;
    const after = { ...replacement, id, ...row };
    await this.#notify(transaction, [{ action: 'changed', author, before, after }]);
    return after;
  }

  /** Deletes the post if it still is as it was read. @returns whether it was */
  async delete(transaction: Transaction, before: Post, author: Author): Promise<boolean> {
    const { id, version } = before;
    const rows = await transaction.all(this.#writes.delete, { id, version });
    if (rows.length === 0) return false;
    await this.#notify(transaction, [{ action: 'deleted', author, before, after: undefined }]);
    return true;
  }

  /**
   * Deletes those of the posts that are meant.
   *
   * @param isMeant is asked of each post that is there as it is now
   * @returns the ids that are gone; and those with bodies so large that they are to be deleted one by one
   */
  async deleteAll(
    transaction: Transaction,
    ids: readonly number[],
    author: Author,
    isMeant: (post: Pick<Post, 'id' | 'version'>) => boolean,
  ): Promise<{ deleted: readonly number[]; large: readonly number[] }> {
    const found = await transaction.all<Post | (Post & { body: null })>(this.#byIdsForUpdate, {
      ids: JSON.stringify(ids),
    });
    const meant = found.filter(isMeant);
    const small = meant.filter(({ body }) => body !== null);
    const deleted = small.map(({ id }) => id);
    if (deleted.length > 0) {
      await transaction.all(this.#writes.deleteByIds, { ids: JSON.stringify(deleted) });
      await this.#notify(
        transaction,
        small.map((before) => ({ action: 'deleted', author, before, after: undefined })),
      );
    }
    return { deleted, large: meant.filter(({ body }) => body === null).map(({ id }) => id) };
  }

  /** Brings deleted posts back, under their ids, with versions that none of them had before. */
  async restore(
    transaction: Transaction,
    posts: readonly Omit<Post, 'modified'>[],
    author: Author,
  ): Promise<void> {
    const rows = await this.#writes.restoration.run<Pick<Post, 'modified'>>(transaction, posts);
    const { modified } = rows[0]!;
    await this.#notify(
      transaction,
      posts.map((post) => ({ action: 'restored', author, before: undefined, after: { ...post, modified } })),
    );
  }

  /** Nothing changes a post but the methods above, so the listeners learn of every change. */
  async #notify(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    for (const listener of this.listeners) await listener.onChanges(transaction, changes);
  }
}
