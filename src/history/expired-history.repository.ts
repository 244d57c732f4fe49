import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { Database, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { OLD, PostRevision } from './post-revision.entity.js';
import { isLast, isLater } from './revision-queries.js';

/** The number of rows that one query examines. */
const WALK_ROWS = 2_000;

/** Identifies the lock of the instance that removes expired history. (It is "expire" in ASCII.) */
const LOCK = 0x657870697265n;

export interface ExpiryProgress {
  /** The id of the last row that was examined. */
  readonly after: number;
  /** Whether more rows from before the deadline may follow. */
  readonly isMore: boolean;
}

/**
 * Removes expired history: the content of revisions that were replaced before the deadline with all older revisions,
 * and everything about posts that were deleted before it. Rows about the current state of a post are kept.
 */
@Injectable()
export class ExpiredHistoryRepository {
  constructor(private readonly database: Database) {}

  /**
   * Examines some rows, and removes those that are older than the deadline.
   *
   * @param deadline a date in its stored form
   * @param most the maximum number of rows to change
   */
  async forget(deadline: string, after: number, most: number): Promise<ExpiryProgress> {
    // A row of a post without old values has nothing to remove. The dates ascend with the ids.
    const rows = await selectProperties(this.database.reader.manager, PostRevision, 'revision', ['id', 'at'])
      .addSelect(
        `CASE WHEN revision.oldTitle IS NULL AND revision.action <> 'purged' AND revision.number > 0 THEN 0 ELSE 1 END`,
        'isHeavy',
      )
      .where('revision.id > :after', { after })
      .orderBy('revision.id')
      .limit(WALK_ROWS)
      .getRawMany<{ id: number; at: string; isHeavy: number }>();
    const end = rows.findIndex(({ at }) => at >= deadline);
    const old = end < 0 ? rows : rows.slice(0, end);
    const expired = old.filter(({ isHeavy }) => isHeavy === 1).slice(0, most);
    if (expired.length > 0) {
      const isDone = await this.database.writeInBackground((transaction) =>
        this.#forget(
          transaction,
          expired.map(({ id }) => id),
        ),
      );
      // Another instance holds the lock.
      if (!isDone) return { after, isMore: false };
    }
    const isCut = expired.length === most;
    const last = isCut ? expired.at(-1) : old.at(-1);
    return { after: last?.id ?? after, isMore: isCut || (end < 0 && rows.length === WALK_ROWS) };
  }

  async #forget(transaction: Transaction, ids: readonly number[]): Promise<boolean> {
    if (!(await this.database.dialect.tryLock(transaction, LOCK))) return false;
    const { manager } = transaction;
    const isExpired = `expired.id ${this.database.dialect.isOneOf(':ids')}`;
    const values = { ids: JSON.stringify(ids) };
    const revisions = (alias: string): SelectQueryBuilder<PostRevision> =>
      manager.createQueryBuilder(PostRevision, alias).select([]);
    const remove = (condition: string): Promise<unknown> =>
      manager.createQueryBuilder().delete().from(PostRevision).where(condition, values).execute();

    // Entries that are not about a single post.
    await remove(`number = 0 AND id ${this.database.dialect.isOneOf(':ids')}`);

    const older = revisions('expired')
      .addSelect('older.id')
      .innerJoin(PostRevision, 'older', `${isLater('expired', 'older')} AND older.number > 1`)
      .where(isExpired);
    await remove(`id IN (${older.getQuery()})`);

    const lastOfGone = revisions('expired').where(`${isExpired} AND expired.action IN ('deleted', 'purged')`);
    lastOfGone.andWhere(isLast(lastOfGone, 'expired'));
    const gonePosts = lastOfGone.clone().addSelect('expired.postId');
    await remove(`number = 1 AND lastPostId = postId AND postId IN (${gonePosts.getQuery()})`);
    await remove(`id IN (${lastOfGone.clone().addSelect('expired.id').getQuery()})`);

    await manager
      .createQueryBuilder()
      .update(PostRevision)
      .set(Object.fromEntries(Object.values(OLD).map((property) => [property, null])))
      .where(`id ${this.database.dialect.isOneOf(':ids')}`, values)
      .execute();
    return true;
  }
}
