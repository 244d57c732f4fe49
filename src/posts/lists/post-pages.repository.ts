import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Database, type Queryable } from '../../database/index.js';
import { ListedPostDto } from '../dto/post.dto.js';
import { Post } from '../post.entity.js';
import { type ListField, shownFields } from './list-fields.js';
import { countQuery, fewQuery, pageQuery, type PostCondition, readPage } from './list-queries.js';
import type { ListedPost, ListedPosts } from './listed-post.js';
import type { PageRequest, PostFilter } from './post-selection.js';
import { PageReads } from './page-reads.repository.js';

export type { PostCondition } from './list-queries.js';

/** Larger than most bodies; about the size of ten usual posts. */
export const LARGE_BODY_BYTES = 16_384;

/** Reads and counts sections of ordered lists. */
@Injectable()
export class PostPagesRepository {
  readonly #reads: PageReads;

  constructor(private readonly database: Database) {
    this.#reads = new PageReads(database, (page) => this.#findIn(database.reader, page));
  }

  /** @param within where to read from; by default committed data @param condition also holds for the posts */
  async find(page: PageRequest, within?: Queryable, condition?: PostCondition): Promise<ListedPosts> {
    if (!within && !condition) return this.#reads.find(page);
    return this.#findIn(within ?? this.database.reader, page, condition);
  }

  async #findIn(source: Queryable, page: PageRequest, condition?: PostCondition): Promise<ListedPosts> {
    const section = condition ? page : { ...page, sortsMatches: await this.#sortsMatches(page, source) };
    const { query, values } = pageQuery(this.database.dialect, section, condition);
    return readPage((await source.all(query, values))[0]!);
  }

  /**
   * PostgreSQL knows how many posts match a filter. SQLite reads the whole list in its order, to find the few posts that
   * were changed recently.
   */
  async #sortsMatches(page: PageRequest, within: Queryable): Promise<boolean> {
    const { dialect } = this.database;
    const few = dialect.name === 'sqlite' && !page.filter.id ? fewQuery(dialect, page) : undefined;
    return few !== undefined && (await within.all(few.query, few.values))[0]!.areFew === 1;
  }

  /**
   * These posts with their texts, whatever the size of the bodies. The texts are written here, because SQLite copies a
   * body six times to write its JSON.
   */
  async withTexts(
    listed: readonly ListedPost[],
    fields: readonly ListField[] | undefined,
    { manager }: Queryable,
  ): Promise<ListedPost[]> {
    const shown = [...shownFields(fields)];
    const posts = await manager.findBy(Post, { id: In(listed.map(({ id }) => id)) });
    const texts = new Map(posts.map((post) => [post.id, JSON.stringify(ListedPostDto.from(post), shown)]));
    // Outside a snapshot, one may be deleted meanwhile.
    return listed.flatMap((post) => {
      const json = texts.get(post.id);
      return json === undefined ? [] : [{ ...post, json }];
    });
  }

  /** Counts the matching posts, one by one. */
  async count(
    filter: PostFilter,
    within: Queryable = this.database.reader,
    condition?: PostCondition,
  ): Promise<number> {
    const { query, values } = countQuery(this.database.dialect, filter, condition);
    return (await within.all(query, values))[0]!.count;
  }
}
