import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database.js';
import type { PostsState } from '../posts.repository.js';
import type { PostField } from './list-fields.js';
import { countQuery, pageQuery, type PageRow, type PostCondition } from './list-queries.js';
import { keyOf, type ListedPost } from './listed-post.js';
import type { PageRequest, PostFilter } from './post-selection.js';

export type { PostCondition } from './list-queries.js';

/** Larger than most bodies; about the size of ten usual posts. */
export const LARGE_BODY_BYTES = 16_384;

/** The most memory for the bodies that are read together. */
export const MAX_BYTES_TOGETHER = 4 * 1_024 * 1_024;

/** A section of a list, and the state of the collection at that moment. */
export interface ListedPosts {
  /** In the order in which they were read. */
  readonly posts: ListedPost[];
  readonly state: Omit<PostsState, 'horizonMs'>;
}

/** Reads and counts sections of ordered lists. */
@Injectable()
export class PostPagesRepository {
  constructor(private readonly database: Database) {}

  /** @param condition also holds for the posts */
  async find(
    page: PageRequest,
    within: Queryable = this.database.reader,
    condition?: PostCondition,
  ): Promise<ListedPosts> {
    const maxBodyBytes = Math.floor(MAX_BYTES_TOGETHER / page.rows);
    const { query, values } = pageQuery(this.database.dialect, page, maxBodyBytes, condition);
    const [row] = await within.all<PageRow>(query, values);
    const { keys, posts, ...state } = row!;
    if (keys === null) return { posts: [], state };
    const texts = posts!.split('\n');
    return { posts: keys.split('\n').map((key, index) => ({ key, json: texts[index]! })), state };
  }

  /** These posts with their bodies, whatever the size, in the order of the ids. */
  async findWhole(
    ids: readonly number[],
    fields: readonly PostField[] | undefined,
    within: Queryable,
  ): Promise<ListedPost[]> {
    const page = { filter: { id: ids }, ordering: 'id', rows: ids.length, fields } as const;
    const { query, values } = pageQuery(this.database.dialect, page, Infinity);
    const [row] = await within.all<PageRow>(query, values);
    const keys = row!.keys?.split('\n') ?? [];
    const texts = row!.posts?.split('\n') ?? [];
    const posts = keys.map((key, index) => ({ key, json: texts[index]! }));
    const byId = new Map(posts.map((post) => [keyOf(post).id, post]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Counts the matching posts, one by one. */
  async count(
    filter: PostFilter,
    within: Queryable = this.database.reader,
    condition?: PostCondition,
  ): Promise<number> {
    const { query, values } = countQuery(this.database.dialect, filter, condition);
    return (await within.all<{ count: number }>(query, values))[0]!.count;
  }
}
