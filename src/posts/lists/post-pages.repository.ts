import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../database/database.js';
import { columnOf, joined, raw, type Sql, sql } from '../../database/sql.js';
import { Post } from '../post.entity.js';
import type { PostsState } from '../posts.repository.js';
import { type PostField, POST_FIELDS, propertyOf } from './list-fields.js';
import {
  beginningsQuery,
  countQuery,
  monthsQuery,
  pageQuery,
  type PageRow,
  type PostCondition,
} from './list-queries.js';
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

/** The number of posts in a month. */
export interface MonthCount {
  /** `2026-11`, in UTC. */
  readonly month: string;
  readonly posts: number;
}

type PostProperty = keyof Post;

/** Read with every post: the entity tag needs the id and the version, and Atom the time of change. */
const PROPERTIES = [...new Set<PostProperty>(['id', 'version', 'modified', ...POST_FIELDS.map(propertyOf)])];

/**
 * Selects posts; conditions may follow. Each row is an object with these properties of the entity.
 *
 * @param maxBodyBytes a larger body is null, and `bodyBytes` has its size
 */
export function selectPosts(properties: readonly PostProperty[] = PROPERTIES, maxBodyBytes?: number): Sql {
  const columns = properties.map((property) => {
    // The length is stored before the text, so a large text is not read.
    if (property === 'body' && maxBodyBytes !== undefined)
      return sql`CASE WHEN octet_length(post.body) <= ${raw(String(maxBodyBytes))} THEN post.body END AS "body", octet_length(post.body) AS "bodyBytes"`;
    return raw(`post.${columnOf(Post, property)} AS "${property}"`);
  });
  return sql`SELECT ${joined(columns, ', ')} FROM posts post WHERE TRUE`;
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

  countByMonth(filter: PostFilter, within: Queryable): Promise<MonthCount[]> {
    const { query, values } = monthsQuery(this.database.dialect, filter);
    return within.all(query, values);
  }

  /** The beginnings of the bodies by post id; ids without a post are left out. */
  async findBeginnings(
    ids: readonly number[],
    codePoints: number,
    within: Queryable,
  ): Promise<Map<number, string>> {
    const { query, values } = beginningsQuery(this.database.dialect, ids, codePoints);
    const rows = await within.all<{ id: number; beginning: string }>(query, values);
    return new Map(rows.map(({ id, beginning }) => [id, beginning]));
  }
}
