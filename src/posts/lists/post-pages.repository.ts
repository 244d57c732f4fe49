import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, type Queryable } from '../../database/index.js';
import type { Client } from '../../limits/index.js';
import { ListedPostDto } from '../dto/post.dto.js';
import { Post } from '../post.entity.js';
import type { PostCondition } from './list-queries.js';
import { shownFields } from './list-fields.js';
import { type ListedPost, type ListedPosts, listedPostsOf, type WrittenPosts } from './listed-post.js';
import { PageReads } from './page-reads.repository.js';
import { PageStatements } from './page-queries.js';
import { isInIndexOrder, type PageRequest, type PostFilter } from './post-selection.js';

export type { PostCondition } from './list-queries.js';

/** Up to this many posts are sorted by their keys in some milliseconds. */
const FEW_POSTS = 10_000;

/** Reads and counts sections of ordered lists. */
@Injectable()
export class PostPagesRepository {
  readonly #statements: PageStatements;
  readonly #together: PageReads;

  constructor(private readonly database: Database) {
    this.#statements = new PageStatements(database.dialect);
    this.#together = new PageReads(database, this.#statements);
  }

  /** Committed data for a client: its queries take turns with those of others. */
  readerOf(client: Client): Queryable {
    return this.database.readerOf(client);
  }

  /** Reads a section of committed data for a client. */
  async findFor(client: Client, page: PageRequest): Promise<ListedPosts> {
    if (PageReads.areReadTogether(page)) return this.#together.find(page, client);
    return this.find(page, this.readerOf(client));
  }

  /** @param within where to read from @param condition also holds for the posts */
  async find(page: PageRequest, within: Queryable, condition?: PostCondition): Promise<ListedPosts> {
    const { inIndexOrder = await this.#inIndexOrder(page, within) } = page;
    const section = { ...page, inIndexOrder };
    const { query, values } = this.#statements.page(section, condition);
    return listedPostsOf((await within.all(query, values))[0]!, page);
  }

  /**
   * Whether a page is read in the order of an index. PostgreSQL knows when few posts match a range that is not in the order of
   * the list, such as `modified_after`, and then sorts them. SQLite does not, and would walk along the whole list in its
   * order to find them, so it is asked.
   *
   * @returns undefined when the database chooses
   */
  async #inIndexOrder(page: PageRequest, within: Queryable): Promise<boolean | undefined> {
    if (isInIndexOrder(page)) return true;
    if (this.database.dialect.name !== 'sqlite' || page.filter.id) return undefined;
    const few = this.#statements.areFew(page, FEW_POSTS);
    const [found] = few ? await within.all(few.query, few.values) : [];
    return found?.areFew === 1 ? false : undefined;
  }

  /**
   * These posts with their texts, whatever the size of the bodies. The texts are written here, because SQLite copies a
   * body six times to write its JSON.
   */
  async withTexts(
    listed: readonly ListedPost[],
    { fields, separator = ',' }: Pick<PageRequest, 'fields' | 'separator'>,
    { manager }: Queryable,
  ): Promise<WrittenPosts> {
    const shown = [...shownFields(fields)];
    const found = await manager.findBy(Post, { id: In(listed.map(({ id }) => id)) });
    const texts = new Map(found.map((post) => [post.id, JSON.stringify(ListedPostDto.from(post), shown)]));
    // Outside a snapshot, one may be deleted meanwhile.
    const posts = listed.filter(({ id }) => texts.has(id));
    return { posts, items: posts.map(({ id }) => texts.get(id)!).join(separator) };
  }

  /** A post of a snapshot with its whole content. */
  findWhole({ id }: ListedPost, { manager }: Queryable): Promise<Post> {
    return manager.findOneByOrFail(Post, { id });
  }

  /** Counts the matching posts, one by one. @param condition also holds for the posts */
  async count(filter: PostFilter, within: Queryable, condition?: PostCondition): Promise<number> {
    const { query, values } = this.#statements.count(filter, condition);
    return (await within.all(query, values))[0]!.count;
  }
}
