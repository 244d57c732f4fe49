import { Injectable } from '@nestjs/common';
import { Database, sql } from '../database/index.js';
import type { Post } from '../posts/post.entity.js';
import { PostsStateRepository } from '../posts/posts-state.repository.js';
import { toPubDate } from '../posts/pub-date.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';

/** The last change of a post. Changes are in the order of their times, and those of one time in the order of the ids. */
export interface Change {
  /** In the stored form of dates, as is a position. */
  readonly at: string;
  readonly id: number;
  /** 0 when the post was deleted. */
  readonly version: number;
}

/** A place in the order of changes: what comes after the post `id` at that time. */
export type ChangePlace = Pick<Change, 'at' | 'id'>;

/** A change with the post as it is now, which may have changed again; undefined when it was deleted, or is large. */
export interface ChangedPost extends Change {
  readonly post: Post | undefined;
}

/** How many changes are read at a time: with the largest of the posts that are not large, less than 1 MiB. */
export const PAGE_ROWS = 50;
const LIMIT = sql.raw(String(PAGE_ROWS));

/** Both parts use their index of (time, id). A restored post may still have its deletion. */
const CHANGES_AFTER = sql<Change>`
  SELECT at AS "at", id AS "id", version AS "version" FROM (
    SELECT * FROM (
      SELECT modified AS at, id, version FROM posts
      WHERE (modified, id) > (${':at'}, ${':id'}) ORDER BY modified, id LIMIT ${LIMIT}
    ) AS changed
    UNION ALL
    SELECT * FROM (
      SELECT deleted_at AS at, id, 0 AS version FROM post_deletions
      WHERE (deleted_at, id) > (${':at'}, ${':id'})
        AND NOT EXISTS (SELECT 1 FROM posts WHERE posts.id = post_deletions.id)
      ORDER BY deleted_at, id LIMIT ${LIMIT}
    ) AS deleted
  ) AS changes
  ORDER BY at, id LIMIT ${LIMIT}`;

const MS_PER_DAY = 86_400_000;

/** Reads which posts have changed since a time, or were deleted, from the tables that lists read. */
@Injectable()
export class LatestChangesRepository {
  constructor(
    private readonly database: Database,
    private readonly posts: PostWritesRepository,
    private readonly states: PostsStateRepository,
  ) {}

  /**
   * The position before which nothing can still be committed: not after the last change, because the time of the next one
   * is that of the last one while the clock is behind it.
   */
  async horizon(): Promise<string> {
    const horizonMs = await this.states.horizonMs();
    const { modified } = await this.states.readState();
    const horizon = toPubDate(horizonMs);
    // A position that is much older would expire.
    const earliest = toPubDate(horizonMs - MS_PER_DAY);
    if (modified >= horizon) return horizon;
    return modified > earliest ? modified : earliest;
  }

  /** The next committed changes with their posts, unless these are large. */
  async page({ at, id }: ChangePlace): Promise<readonly ChangedPost[]> {
    const changes = await this.database.reader.all(CHANGES_AFTER, { at, id });
    const ids = changes.flatMap((change) => (change.version > 0 ? change.id : []));
    const small = await this.posts.findSmall(ids);
    return changes.map((change) => ({ ...change, post: small.get(change.id) }));
  }

  /** The post as it is now; undefined when it was deleted. */
  find(id: number): Promise<Post | undefined> {
    return this.posts.find(id);
  }
}
