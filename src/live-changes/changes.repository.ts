import { Injectable } from '@nestjs/common';
import { Batches, Database, sql } from '../database/index.js';
import type { Reader, Release } from '../limits/client-quota.js';
import type { Post } from '../posts/post.entity.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';

/** A place among all changes: they are in the order of their times, and those of one time in the order of the ids. */
export interface ChangePlace {
  /** In the stored form of dates. */
  readonly at: string;
  readonly id: number;
}

/** The last change of a post. */
export interface Change extends ChangePlace {
  /** 0 when the post was deleted. */
  readonly version: number;
}

/** A change with the post as it is now; undefined when it was deleted. */
export interface ChangedPost extends Change {
  readonly post: Post | undefined;
}

/** How many changes are read at a time. */
export const PAGE_ROWS = 200;
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

/** While one page is read, those of other streams wait. */
const MAX_RUNNING_READS = 2;

/** Reads what has changed since a time, deletions included, from the tables that lists read. */
@Injectable()
export class ChangesRepository {
  readonly #reads: Batches<ChangePlace, Change[]>;

  constructor(
    database: Database,
    private readonly posts: PostWritesRepository,
  ) {
    this.#reads = new Batches({
      maxRunning: MAX_RUNNING_READS,
      maxItems: 1,
      takesTurns: true,
      run: async (take) => {
        const [{ at, id }] = take() as [ChangePlace];
        return [{ result: await database.reader.all(CHANGES_AFTER, { at, id }) }];
      },
    });
  }

  /** The next changes after a place, committed ones only; fewer than {@link PAGE_ROWS} when there are no more. */
  after(place: ChangePlace, reader?: Reader): Promise<readonly Change[]> {
    return this.#reads.add(place, { reader });
  }

  /**
   * The changes with their posts. The deletion of one that was deleted meanwhile is a later change.
   *
   * @param holdLarge called before a large post is read, which is held until the next change is asked for
   */
  async *withPosts(
    changes: readonly Change[],
    holdLarge?: () => Promise<Release>,
  ): AsyncGenerator<ChangedPost> {
    const small = await this.posts.findSmall(changes.flatMap(({ id, version }) => (version > 0 ? id : [])));
    for (const change of changes) {
      const { id, version } = change;
      let post = small.get(id);
      if (version === 0 || post) {
        yield { ...change, post };
        continue;
      }
      const release = await holdLarge?.();
      try {
        post = await this.posts.find(id);
        if (post) yield { ...change, post };
      } finally {
        release?.();
      }
    }
  }
}
