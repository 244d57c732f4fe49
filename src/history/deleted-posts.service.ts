import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, MoreThan, Not, Raw, type SelectQueryBuilder } from 'typeorm';
import type { Client } from '../limits/index.js';
import { Database, type Queryable, selectProperties, type Transaction, walked } from '../database/index.js';
import type { Author } from '../users/user.js';
import { type KeysetPage, type KeysetRequest, type KeysetWalk, readKeysetPage } from '../paging/index.js';
import { type Post, POST_CONTENT } from '../posts/post.entity.js';
import type { FinderValues } from '../posts/lists/list-fields.js';
import { PostFinders } from '../posts/lists/post-finders.js';
import { type DeletedPost, OLD, PostRevision, revisionRow } from './post-revision.entity.js';
import { isLast } from './revision-queries.js';

type Deletion = Pick<PostRevision, 'id' | 'postId' | 'number'> & {
  /** The size of the deleted title and body. */
  readonly bytes: number;
};

const SHOWN = ['id', 'postId', 'oldTitle', 'oldPubDate', 'at', 'authorKind', 'authorName'] as const;

/** The filters of a list that have a finder, for the titles. */
export interface DeletedPostFilter extends Readonly<FinderValues> {
  /** The entry of the change log that deleted them. */
  readonly entry?: number | undefined;
}

/** The number of rows per query when titles are looked at. */
const BATCH_ROWS = 500;

/** Finds deleted posts that can still be restored, and removes them permanently. */
@Injectable()
export class DeletedPostsService {
  constructor(
    private readonly database: Database,
    private readonly finders: PostFinders,
  ) {}

  /** The last deletion first. */
  findPage(
    filter: DeletedPostFilter,
    request: KeysetRequest,
    client: Client,
  ): Promise<KeysetPage<DeletedPost>> {
    const reader = this.database.readerOf(client);
    const read = async (walk: KeysetWalk): Promise<DeletedPost[]> => {
      const found: DeletedPost[] = [];
      const rows = this.finders.of(filter) ? BATCH_ROWS : walk.rows;
      for await (const row of this.#matches(filter, { ...walk, rows }, reader)) {
        found.push(row);
        if (found.length === walk.rows) break;
      }
      return found;
    };
    return readKeysetPage(request, read, ({ id }) => [id]);
  }

  /** The ids of all posts that {@link findPage} finds. There can be more than the memory holds. */
  async *ids(filter: DeletedPostFilter, client: Client): AsyncGenerator<number> {
    const reader = this.database.readerOf(client);
    for await (const { postId } of this.#matches(filter, { rows: BATCH_ROWS }, reader)) yield postId;
  }

  /** The number of {@link ids}. */
  async count(filter: DeletedPostFilter, client: Client): Promise<number> {
    const ids = this.ids(filter, client);
    let count = 0;
    while (!(await ids.next()).done) count += 1;
    return count;
  }

  /** The deletions of the posts that are deleted. */
  find(ids: readonly number[], { manager }: Queryable): Promise<Deletion[]> {
    return this.#deletionsOf(manager, ids).getRawMany();
  }

  /** Like {@link find}. No other transaction undoes them before this one ends. */
  async findForUpdate(transaction: Transaction, ids: readonly number[]): Promise<Deletion[]> {
    const query = this.#deletionsOf(transaction.manager, ids);
    // After waiting for a lock, only a new statement sees what the other transaction has committed.
    if (this.database.dialect.forUpdate !== '') await query.setLock('pessimistic_write').getRawMany();
    return this.find(ids, transaction);
  }

  #deletionsOf(manager: EntityManager, ids: readonly number[]): SelectQueryBuilder<PostRevision> {
    return standing(manager, ['id', 'postId', 'number'])
      .addSelect('octet_length(deletion.oldTitle) + octet_length(deletion.oldBody)', 'bytes')
      .andWhere({ postId: In(ids) })
      .orderBy('deletion.postId');
  }

  /**
   * The posts as they were before these changes, with the versions that follow the changes. Posts whose old content is no
   * longer kept are left out.
   */
  contentBefore(
    changes: readonly Pick<Deletion, 'id'>[],
    { manager }: Queryable,
  ): Promise<Omit<Post, 'modified'>[]> {
    const query = manager
      .createQueryBuilder(PostRevision, 'change')
      .select('change.postId', 'id')
      .addSelect('change.number + 1', 'version');
    for (const property of POST_CONTENT) query.addSelect(`change.${OLD[property]}`, property);
    return query
      .where({ id: In(changes.map(({ id }) => id)), oldTitle: Not(IsNull()) })
      .orderBy('change.postId')
      .getRawMany();
  }

  /** Removes the deleted posts and all of their revisions permanently, and records that. */
  async purge({ manager }: Transaction, deletions: readonly Deletion[], author: Author): Promise<void> {
    if (deletions.length === 0) return;
    const postId = In(deletions.map((deletion) => deletion.postId));
    await manager.delete(PostRevision, { postId, number: MoreThan(1) });
    const lastPostId = Raw((column) => `${column} = "post_id"`);
    await manager.delete(PostRevision, { postId, lastPostId, number: 1 });
    const purges = deletions.map((deletion) =>
      revisionRow('purged', author, deletion.postId, deletion.number + 1),
    );
    await manager.insert(PostRevision, purges);
  }

  /** From the start of a walk, the posts that match, of all that follow. @param walk its `rows` are read at a time */
  async *#matches(
    filter: DeletedPostFilter,
    { backwards = false, after, rows }: Partial<KeysetWalk> & Pick<KeysetWalk, 'rows'>,
    { manager }: Queryable,
  ): AsyncGenerator<DeletedPost> {
    const { entry } = filter;
    const found = this.finders.of(filter);
    const isMatch = found ? found.finder.matcherOf(found.value) : () => true;
    if (!isMatch) return;
    for (let start = after; ;) {
      const query = standing(manager, SHOWN);
      if (entry !== undefined) query.andWhere('deletion.partOf = :entry', { entry });
      const part = { backwards, after: start, rows };
      const batch: DeletedPost[] = await walked(query, ['deletion.id'], part).getRawMany();
      yield* batch.filter(({ oldTitle }) => isMatch(oldTitle));
      if (batch.length < rows) return;
      start = [batch.at(-1)!.id];
    }
  }
}

/** Deletions that no later change of the post has undone. */
function standing(
  manager: EntityManager,
  properties: readonly (keyof PostRevision)[],
): SelectQueryBuilder<PostRevision> {
  const builder = selectProperties(manager, PostRevision, 'deletion', properties);
  return builder
    .where(`deletion.action = 'deleted' AND deletion.number > 1`)
    .andWhere(isLast(builder, 'deletion'));
}
