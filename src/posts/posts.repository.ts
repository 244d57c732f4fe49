import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../database/compiled-query.js';
import { Database, type Queryable, type ReaderConnection } from '../database/database.js';
import { SharedQuery } from '../database/shared-query.js';
import {
  type DateCount,
  LARGE_BODY_BYTES,
  type ListedPost,
  type PostCondition,
  PostPagesRepository,
} from './lists/post-pages.repository.js';
import { PostSearch, type Slowly } from './lists/post-search.js';
import { isEmpty, type PageRequest, type PostFilter } from './lists/post-selection.js';
import type { Post } from './post.entity.js';

/** A post whose body is null when it is large. */
export type WithLargeBody = Omit<Post, 'body'> & { readonly body: string | null };

/** The state of the whole collection. */
export interface PostsState {
  readonly count: number;
  /** Increases with every change of any post. */
  readonly changes: number;
  /** Identifies this collection globally and permanently: 32 hexadecimal digits. */
  readonly feedId: string;
  /** The time of the last change; see writes/change-time.ts. */
  readonly modified: string;
  /** All changes before this time are visible to reads that begin after that of the state; in ms since 1970. */
  readonly horizonMs: number;
}

/** Both grow with every change of any post. */
type Changes = Pick<PostsState, 'changes' | 'modified'>;

type StateRow = Omit<PostsState, 'horizonMs'> & {
  readonly horizon: string;
  /** When the running import began, which is the time of change of its posts; empty when no import runs. */
  readonly importingSince: string;
};

/** Reads posts: committed data, or what the given transaction or snapshot sees. */
@Injectable()
export class PostsRepository {
  readonly #byId: CompiledQuery;
  readonly #byIds: CompiledQuery;
  readonly #state: CompiledQuery;
  readonly #changes: SharedQuery<Changes>;

  constructor(
    private readonly database: Database,
    private readonly pages: PostPagesRepository,
    private readonly search: PostSearch,
  ) {
    const { dialect } = database;
    const isOneOf = `post.id ${dialect.isOneOf(':ids')}`;
    this.#byId = CompiledQuery.from(pages.select().andWhere('post.id = :id'), ['id']);
    this.#byIds = CompiledQuery.from(pages.select(undefined, LARGE_BODY_BYTES).andWhere(isOneOf), ['ids']);
    const changes = 'CAST(sum(changes) AS bigint) AS "changes", max(modified) AS "modified"';
    this.#state = CompiledQuery.fromText(
      `SELECT CAST(sum(posts) AS bigint) AS "count", ${changes}, (SELECT feed_id FROM posts_state) AS "feedId",
        (SELECT importing_since FROM posts_state) AS "importingSince", ${dialect.horizon} AS "horizon"
       FROM posts_counters`,
    );
    // Without the horizon, which takes PostgreSQL longer than the round trip.
    const onlyChanges = CompiledQuery.fromText(`SELECT ${changes} FROM posts_counters`);
    this.#changes = new SharedQuery(async () => (await database.primary.all<Changes>(onlyChanges))[0]!);
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
   * The posts of a page, in its order. Reads only the requested fields, the id, the version, the time of change and the
   * sort key.
   *
   * @param slowly runs a query that turns out to be slow
   */
  findPage(
    page: PageRequest,
    within: Queryable = this.database.reader,
    slowly: Slowly = (work) => work(within),
  ): Promise<ListedPost[]> {
    const { search } = page.filter;
    if (search === undefined) return this.pages.read(page, within);
    return this.search.find(search, page, within, slowly);
  }

  /**
   * The number of posts that match the filter. Without a filter it comes from the counters; with a filter the posts are
   * counted, which is slow.
   */
  async count(filter: PostFilter, within: Queryable = this.database.reader): Promise<number> {
    if (isEmpty(filter)) return (await this.readState(within)).count;
    return this.pages.count(filter, within, ...this.#searchOf(filter));
  }

  /** The number of posts by date, in no order. */
  countByDate(filter: PostFilter, within: Queryable): Promise<DateCount[]> {
    return this.pages.countByDate(filter, within, ...this.#searchOf(filter));
  }

  #searchOf({ search }: PostFilter): PostCondition[] {
    return search === undefined ? [] : [this.search.condition(search)];
  }

  /** The beginnings of the bodies by post id; ids without a post are left out. */
  async findBeginnings(ids: readonly number[], codePoints: number): Promise<Map<number, string>> {
    const rows = await this.pages
      .select(['id'])
      .addSelect('substr(post.body, 1, :codePoints)', 'beginning')
      .andWhere(`post.id ${this.database.dialect.isOneOf(':ids')}`)
      .setParameters({ ids: JSON.stringify(ids), codePoints })
      .getRawMany<{ id: number; beginning: string }>();
    return new Map(rows.map(({ id, beginning }) => [id, beginning]));
  }

  /** Whether no post has changed since the state. Concurrent calls share a query that starts after all of them. */
  async isCurrent({ changes, modified }: PostsState): Promise<boolean> {
    const now = await this.#changes.ask();
    return now.changes === changes && now.modified === modified;
  }

  /** Reads the state of the primary: replicas do not know which writes are running there. */
  async readState(within: ReaderConnection = this.database.primary): Promise<PostsState> {
    // Before the query, which may not see what these writes change.
    const oldestWriteMs = this.database.oldestWriteMs ?? Infinity;
    const [row] = await within.all<StateRow>(this.#state);
    const { horizon, importingSince, ...state } = row!;
    const importMs = importingSince === '' ? Infinity : Date.parse(importingSince);
    return { ...state, horizonMs: Math.min(Date.parse(horizon), oldestWriteMs, importMs) };
  }
}
