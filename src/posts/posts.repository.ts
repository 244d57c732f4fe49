import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { CompiledQuery, type QueryValues } from '../database/compiled-query.js';
import {
  Database,
  type Queryable,
  type Snapshot,
  type Transaction,
  type Work,
} from '../database/database.js';
import type { Author } from '../http/author.js';
import { HiddenIds } from './hidden-ids.js';
import { POST_COMPANIONS, type PostChange, type PostCompanion } from './post-change.js';
import { Post } from './post.entity.js';
import type { PostFilter } from './post-selection.js';
import { SearchPages } from './search/search-pages.js';
import { searchQueries } from './search/search-queries.js';
import { PostPageQueries, type PageRequest } from './post-page-queries.js';
import { PostPages } from './post-pages.js';

/** What a post is made of before it is stored. */
export type NewPost = Pick<Post, 'title' | 'pubDate' | 'body'>;

/** A post to be stored, and in whose name. */
export interface PostCreation {
  readonly post: NewPost;
  readonly author: Author;
}

/** How many posts a statement inserts, so that each number needs no statement of its own. */
const INSERT_SIZES = [64, 16, 4, 1] as const;

/** What is known of all posts together. */
export interface PostsState {
  readonly count: number;
  /** Grows with every change of any post. */
  readonly changes: number;
  /** Names this collection among all others, for ever: 32 hexadecimal digits. */
  readonly feedId: string;
}

const STATE = CompiledQuery.fromText(`
  SELECT CAST(sum(posts) AS bigint) AS "count", CAST(sum(changes) AS bigint) AS "changes",
    (SELECT feed_id FROM posts_state) AS "feedId"
  FROM posts_counters
`);

/** The one place that builds queries on posts. Reads see what is committed; writes take the transaction they are part of. */
@Injectable()
export class PostsRepository {
  readonly #byId: CompiledQuery;
  readonly #byIdForUpdate: CompiledQuery;
  readonly #bodyBytes: CompiledQuery;
  /** By the number of posts. */
  readonly #inserts: ReadonlyMap<number, CompiledQuery>;
  readonly #update: CompiledQuery;
  readonly #delete: CompiledQuery;
  readonly #queries: PostPageQueries;
  readonly #pages: PostPages;
  readonly #searchPages: SearchPages;

  constructor(
    private readonly database: Database,
    @InjectRepository(Post) posts: Repository<Post>,
    @Inject(POST_COMPANIONS) private readonly companions: readonly PostCompanion[],
    hiddenIds: HiddenIds,
  ) {
    const { dialect } = database;
    this.#queries = new PostPageQueries(posts, dialect);
    this.#pages = new PostPages(this.#queries, hiddenIds);
    this.#searchPages = new SearchPages(this.#pages, this.#queries, searchQueries(dialect));
    const byId = this.#queries.select().andWhere('post.id = :id');
    this.#byId = CompiledQuery.from(byId, ['id']);
    this.#byIdForUpdate = CompiledQuery.from(byId, ['id'], dialect.forUpdate);
    this.#bodyBytes = CompiledQuery.fromText(
      `SELECT CAST(coalesce(sum(octet_length(body)), 0) AS bigint) AS "bytes"
       FROM posts WHERE id IN (${dialect.integersOf(':ids')})`,
    );
    this.#inserts = new Map(INSERT_SIZES.map((size) => [size, insertOf(posts, size)]));
    this.#update = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .update()
        .set({
          title: () => ':title',
          pubDate: () => ':pubDate',
          body: () => ':body',
          version: () => 'version + 1',
        })
        .where('id = :id AND version = :version'),
      ['title', 'pubDate', 'body', 'id', 'version'],
      ' RETURNING "version"',
    );
    this.#delete = CompiledQuery.from(
      posts.createQueryBuilder().delete().where('id = :id AND version = :version'),
      ['id', 'version'],
      ' RETURNING "id"',
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

  /** Reads a post that the transaction is going to replace or delete: nobody else does so before it is over. */
  async findForUpdate(transaction: Transaction, id: number): Promise<Post | undefined> {
    const [post] = await transaction.all<Post>(this.#byIdForUpdate, { id });
    return post;
  }

  /** The posts of a page, in its order. Fields that were not asked for are not read, but for the id and the version. */
  findPage(page: PageRequest, within: Queryable = this.database.reader): Promise<Partial<Post>[]> {
    const { search } = page.filter;
    if (search !== undefined) return this.#searchPages.find(search, page, within);
    return this.#pages.read(page, within);
  }

  /** The size of the bodies of these posts, all together. */
  async bodyBytes(ids: readonly number[], within: Queryable = this.database.reader): Promise<number> {
    const [row] = await within.all<{ bytes: number }>(this.#bodyBytes, { ids: JSON.stringify(ids) });
    return row!.bytes;
  }

  /** The number of posts that the filter lets through: kept for all of them, counted for some. */
  async count(filter: PostFilter, within: Queryable = this.database.reader): Promise<number> {
    if (Object.values(filter).every((value) => value === undefined)) {
      return (await this.readState(within)).count;
    }
    if (filter.search !== undefined) return this.#searchPages.count(filter.search, filter, within);
    const { query, values } = this.#queries.count(filter);
    const [row] = await within.all<{ count: number }>(query, values);
    return row!.count;
  }

  async readState(within: Queryable = this.database.reader): Promise<PostsState> {
    const [state] = await within.all<PostsState>(STATE);
    return state!;
  }

  /** The posts as they are now, to be read at any pace. The snapshot must be closed. */
  snapshot(): Promise<Snapshot> {
    return this.database.snapshot();
  }

  /**
   * Stores posts, in their order, under ids that ascend.
   *
   * @param action those of an import are recorded once more, as a whole, when it is complete
   */
  async insert(
    transaction: Transaction,
    creations: readonly PostCreation[],
    action: 'created' | 'imported' = 'created',
  ): Promise<Post[]> {
    const stored: Post[] = [];
    while (stored.length < creations.length) {
      const size = INSERT_SIZES.find((each) => each <= creations.length - stored.length)!;
      const part = creations.slice(stored.length, stored.length + size).map(({ post }) => post);
      const rows = await transaction.all<{ id: number }>(this.#inserts.get(size)!, valuesOfAll(part));
      // The order in which RETURNING tells of rows is no promise; that of the ids is.
      const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
      part.forEach((post, index) => stored.push({ ...post, id: ids[index]!, version: 1 }));
    }
    await this.#record(
      transaction,
      stored.map((after, index) => ({
        action,
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
    const values = { ...valuesOf(replacement), id, version };
    const [row] = await transaction.all<{ version: number }>(this.#update, values);
    if (!row) return undefined;
    const after = { ...replacement, id, version: row.version };
    await this.#record(transaction, [{ action: 'changed', author, before, after }]);
    return after;
  }

  /** Deletes the post if it still is as it was read. @returns whether it was */
  async delete(transaction: Transaction, before: Post, author: Author): Promise<boolean> {
    const { id, version } = before;
    const rows = await transaction.all(this.#delete, { id, version });
    if (rows.length === 0) return false;
    await this.#record(transaction, [{ action: 'deleted', author, before, after: undefined }]);
    return true;
  }

  /** Nothing changes a post but the three methods above, so no change goes by unrecorded. */
  async #record(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    for (const companion of this.companions) await companion.record(transaction, changes);
  }
}

function insertOf(posts: Repository<Post>, size: number): CompiledQuery {
  const rows = Array.from({ length: size }, (_, index) => ({
    title: () => `:title${index}`,
    pubDate: () => `:pubDate${index}`,
    body: () => `:body${index}`,
    version: () => '1',
  }));
  const parameters = rows.flatMap((_, index) => [`title${index}`, `pubDate${index}`, `body${index}`]);
  const builder = posts.createQueryBuilder().insert().values(rows).updateEntity(false);
  return CompiledQuery.from(builder, parameters, ' RETURNING "id"');
}

function valuesOfAll(posts: readonly NewPost[]): QueryValues {
  const values: Record<string, string> = {};
  posts.forEach(({ title, pubDate, body }, index) => {
    values[`title${index}`] = title;
    values[`pubDate${index}`] = pubDate;
    values[`body${index}`] = body;
  });
  return values;
}

function valuesOf({ title, pubDate, body }: NewPost): QueryValues {
  return { title, pubDate, body };
}
