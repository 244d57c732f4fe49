import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { Database } from '../../database/database.js';
import { walked } from '../../database/entity-queries.js';
import type { KeysetWalk } from '../../http/request/keyset-page.js';
import { PostCollection } from '../post-collection.entity.js';
import { Post } from '../post.entity.js';
import { PostDeletion } from './post-deletion.entity.js';

/** Knows which posts were deleted. */
@Injectable()
export class PostDeletionsRepository {
  constructor(private readonly database: Database) {}

  /** Deletions that no restoration has undone, the latest first. @param from leaves out earlier ones */
  findPage(walk: KeysetWalk, from: string | undefined): Promise<PostDeletion[]> {
    const query = this.database.reader.manager.createQueryBuilder(PostDeletion, 'deletion');
    const post = query.subQuery().select('1').from(Post, 'post').where('post.id = deletion.id');
    query.where(`NOT EXISTS ${post.getQuery()}`);
    if (from !== undefined) query.andWhere('deletion.deletedAt >= :from', { from });
    return walked(query, ['deletion.deletedAt', 'deletion.id'], walk).getMany();
  }

  /** The time from which all deletions are known; empty when none was ever forgotten. */
  async knownSince(): Promise<string> {
    return (await this.database.reader.manager.findOneByOrFail(PostCollection, {})).deletionsSince;
  }

  /**
   * Forgets deletions from before the deadline.
   *
   * @param deadline in the stored form of dates
   * @param most the maximum number of rows to remove
   * @returns whether more may follow
   */
  forget(deadline: string, most: number): Promise<boolean> {
    return this.database.writeInBackground(async ({ manager }) => {
      const expired = await manager.find(PostDeletion, {
        where: { deletedAt: LessThan(deadline) },
        order: { deletedAt: 'ASC', id: 'ASC' },
        take: most,
      });
      if (expired.length === 0) return false;
      await manager.updateAll(PostCollection, { deletionsSince: deadline });
      await manager.delete(PostDeletion, {
        id: In(expired.map(({ id }) => id)),
        deletedAt: LessThan(deadline),
      });
      return expired.length === most;
    });
  }
}
