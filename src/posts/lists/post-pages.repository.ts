import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database.js';
import type { PostField } from './list-fields.js';
import { countQuery, pageQuery, type PostCondition, readPage } from './list-queries.js';
import type { ListedPost, ListedPosts } from './listed-post.js';
import type { PageRequest, PostFilter } from './post-selection.js';

export type { PostCondition } from './list-queries.js';

/** Larger than most bodies; about the size of ten usual posts. */
export const LARGE_BODY_BYTES = 16_384;

/** The most memory for the bodies that are read together. */
export const MAX_BYTES_TOGETHER = 4 * 1_024 * 1_024;

/** Reads and counts sections of ordered lists. */
@Injectable()
export class PostPagesRepository {
  constructor(private readonly database: Database) {}

  /** @param condition also holds for the posts */
  find(
    page: PageRequest,
    within: Queryable = this.database.reader,
    condition?: PostCondition,
  ): Promise<ListedPosts> {
    const maxBodyBytes = Math.floor(MAX_BYTES_TOGETHER / page.rows);
    return this.#read(page, maxBodyBytes, within, condition);
  }

  /** These posts with their bodies, whatever the size, in the order of the ids. */
  async findWhole(
    ids: readonly number[],
    fields: readonly PostField[] | undefined,
    within: Queryable,
  ): Promise<ListedPost[]> {
    const page = { filter: { id: ids }, ordering: 'id', rows: ids.length, fields } as const;
    const { posts } = await this.#read(page, Infinity, within);
    return posts.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  }

  async #read(
    page: PageRequest,
    maxBodyBytes: number,
    within: Queryable,
    condition?: PostCondition,
  ): Promise<ListedPosts> {
    const { query, values } = pageQuery(this.database.dialect, page, maxBodyBytes, condition);
    return readPage((await within.all(query, values))[0]!);
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
