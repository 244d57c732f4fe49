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

/** A post to be stored, and its author. */
export interface PostCreation {
  readonly post: NewPost;
  readonly author: Author;
}

/** A replacement of the content of a post, or its deletion. */
export interface ContentChange {
  readonly before: Post;
  /** Undefined for a deletion. */
  readonly after: NewPost | undefined;
  readonly author: Author;
}

/** A post whose body is null when it is large. */
export type WithLargeBody = Omit<Post, 'body'> & { readonly body: string | null };

/** The database examines this many posts in at most 5 ms. */
const FEW_POSTS = 1_000;

/** The state of the whole collection. */
export interface PostsState {
  readonly count: number;
  /** Increases with every change of any post. */
  readonly changes: number;
  /** Identifies this collection globally and permanently: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The time of the last change; see writes/change-time.ts. */
  readonly modified: string;
  /** The second latest time of change among the counters; null when there is only one counter. */
  readonly modifiedBefore: string | null;
  /** When the running import began, which is the time of change of its posts; empty when no import runs. */
  readonly importingSince: string;
  /** 1 while other transactions have changes of posts that are not visible yet. */
  readonly hasWritesInFlight: 0 | 1;
  /** The time of the query, by the database's clock. */
  readonly readAt: string;
}

/** Reads and writes posts. Read methods see committed data. Write methods take a transaction. */
@Injectable()
export class PostsRepository {
  readonly #byId: CompiledQuery;
  readonly #byIdForUpdate: CompiledQuery;
  readonly #byIds: CompiledQuery;
  readonly #byIdsForUpdate: CompiledQuery;
  readonly #unlockedByIds: CompiledQuery;
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
    this.#unlockedByIds = CompiledQuery.from(byIds, ['ids'], dialect.forUpdateOfUnlocked);
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
        .addSelect(dialect.hasWritesInFlight, 'hasWritesInFlight')
        .addSelect(dialect.queryClock, 'readAt'),
      [],
    );
  }

  /** Runs the work in one transaction on the writer. */
  transaction<Result>(work: Work<Result>): Promise<Result> {
    return this.database.write(work);
  }

  /** Reads committed data, or the given snapshot. */
  async findById(id: number, within: Queryable = this.database.reader): Promise<Post | undefined> {
    const [post] = await within.all<Post>(this.#byId, { id });
    return post;
  }

  /** The posts that exist, in any order. Large bodies are null. */
  findByIds(ids: readonly number[]): Promise<WithLargeBody[]> {
    return this.database.reader.all(this.#byIds, { ids: JSON.stringify(ids) });
  }

  /**
   * Reads a post that the transaction is about to replace or delete. No other transaction changes it before this one
   * ends.
   */
  async findForUpdate(transaction: Transaction, id: number): Promise<Post | undefined> {
    const [post] = await transaction.all<Post>(this.#byIdForUpdate, { id });
    return post;
  }

  /**
   * As {@link findForUpdate}, for posts that no other transaction has locked, which takes no time and cannot cause a
   * deadlock. Large bodies are null.
   */
  findUnlockedForUpdate(transaction: Transaction, ids: readonly number[]): Promise<WithLargeBody[]> {
    return transaction.all(this.#unlockedByIds, { ids: JSON.stringify(ids) });
  }

  /**
   * The posts of a page, in its order. Reads only the requested fields, the id, the version and the sort key.
   *
   * @param slowly runs a query that turns out to be slow
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

  /** The total size of the bodies of these posts, in bytes. */
  async bodyBytes(ids: readonly number[], within: Queryable = this.database.reader): Promise<number> {
    const [row] = await within.all<{ bytes: number }>(this.#bodyBytes, { ids: JSON.stringify(ids) });
    return row!.bytes;
  }

  /**
   * The number of posts that match the filter. Without a filter it comes from the counters; with a filter the posts are
   * counted, which is slow.
   */
  async count(filter: PostFilter, within: Queryable = this.database.reader): Promise<number> {
    if (isEmpty(filter)) return (await this.readState(within)).count;
    if (filter.search !== undefined) return this.#searchPages.count(filter.search, filter, within);
    const { query, values } = this.#queries.count(filter);
    const [row] = await within.all<{ count: number }>(query, values);
    return row!.count;
  }

  /**
   * The ids of the posts that match the filter by id, title or time, if they are few enough to be examined at once;
   * otherwise undefined. (SQLite may prefer the index of the list's order to that of the filter, and scan all
   * posts.)
   */
  async findFew(filter: PostFilter, within?: Queryable): Promise<readonly number[] | undefined> {
    const { ids, title, publishedFrom, publishedBefore, modifiedFrom } = filter;
    if (ids) return ids;
    if (title !== undefined) return this.#idsOfFew({ title }, 'id', within);
    const few =
      modifiedFrom === undefined ? undefined : await this.#idsOfFew({ modifiedFrom }, 'modified', within);
    return few ?? this.#idsOfFew({ publishedFrom, publishedBefore }, 'pub_date', within);
  }

  async #idsOfFew(
    filter: PostFilter,
    ordering: Ordering,
    within: Queryable | undefined,
  ): Promise<readonly number[] | undefined> {
    const page = { filter, ordering, backwards: false, after: undefined, fields: ['id'] } as const;
    const [beyond] = await this.findPage({ ...page, offset: FEW_POSTS, rows: 1 }, within);
    if (beyond) return undefined;
    return (await this.findPage({ ...page, offset: 0, rows: FEW_POSTS }, within)).map(({ id }) => id!);
  }

  /**
   * The number of search matches per date, in no order. A date is a day (`2026-11-20`), or a second near the ends of a
   * month.
   */
  countByDate(filter: PostFilter, within: Queryable): Promise<{ date: string; posts: number }[]> {
    return this.#searchPages.countByDate(filter.search!, filter, within);
  }

  /** The beginnings of the bodies by post id; ids without a post are left out. */
  async findBeginnings(ids: readonly number[], codePoints: number): Promise<Map<number, string>> {
    const values = { ids: JSON.stringify(ids), codePoints };
    const rows = await this.database.reader.all<{ id: number; beginning: string }>(this.#beginnings, values);
    return new Map(rows.map(({ id, beginning }) => [id, beginning]));
  }

  async readState(within: Queryable = this.database.reader): Promise<PostsState> {
    const [state] = await within.all<PostsState>(this.#state);
    return state!;
  }

  /** Stores posts in their order, under ascending ids. */
  async insert(transaction: Transaction, creations: readonly PostCreation[]): Promise<Post[]> {
    const rows = await this.#writes.insertion.run<Pick<Post, 'id' | 'modified'>>(
      transaction,
      creations.map(({ post }) => ({ ...post, version: 1 })),
    );
    // RETURNING guarantees no order of its rows, but the ids ascend in the order of the posts.
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

  /**
   * Replaces and deletes posts that the transaction has locked.
   *
   * @returns a function that gives the replaced posts by id, to be called after the commit, for which no statement waits
   */
  async change(
    transaction: Transaction,
    changes: readonly ContentChange[],
  ): Promise<() => Promise<Map<number, Post>>> {
    const replaced = changes.flatMap(({ before: { id, version }, after }) =>
      after ? [{ ...after, id, version }] : [],
    );
    const deleted = changes.filter(({ after }) => !after).map(({ before }) => before.id);
    const updated = this.#writes.update.run<Pick<Post, 'id' | 'version' | 'modified'>>(transaction, replaced);
    if (deleted.length > 0) transaction.send(this.#writes.delete, { ids: JSON.stringify(deleted) });
    await this.#notify(transaction, changes.map(toPostChange));
    return async () => {
      const rows = new Map((await updated).map((row) => [row.id, row]));
      return new Map(
        replaced.map((post) => {
          const row = rows.get(post.id);
          if (!row) throw new Error('A post changed within the transaction that had locked it.');
          return [post.id, { ...post, ...row }];
        }),
      );
    };
  }

  /**
   * Deletes the posts that `isMeant` selects.
   *
   * @param isMeant is called with the current state of each post that exists
   * @returns the ids that were deleted, and the ids whose bodies are so large that they must be deleted one by one
   */
  async deleteAll(
    transaction: Transaction,
    ids: readonly number[],
    author: Author,
    isMeant: (post: Pick<Post, 'id' | 'version'>) => boolean,
  ): Promise<{ deleted: readonly number[]; large: readonly number[] }> {
    const found = await transaction.all<WithLargeBody>(this.#byIdsForUpdate, { ids: JSON.stringify(ids) });
    const meant = found.filter(isMeant);
    const small = meant.filter(hasBody);
    await this.change(
      transaction,
      small.map((before) => ({ before, after: undefined, author })),
    );
    const large = meant.filter(({ body }) => body === null);
    return { deleted: small.map(({ id }) => id), large: large.map(({ id }) => id) };
  }

  /** Restores deleted posts under their ids, with versions that they never had before. */
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

  /** Posts change only through the methods above, so the listeners are notified of every change. */
  async #notify(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    for (const listener of this.listeners) await listener.onChanges(transaction, changes);
  }
}

function toPostChange({ before, after, author }: ContentChange): PostChange {
  if (!after) return { action: 'deleted', author, before, after };
  return {
    action: 'changed',
    author,
    before,
    after: { ...after, id: before.id, version: before.version + 1 },
  };
}

export function hasBody(post: WithLargeBody): post is Post {
  return post.body !== null;
}
