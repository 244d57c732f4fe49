import { Inject, Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { Database, walked } from '../../database/index.js';
import { type KeysetPage, type KeysetRequest, type KeysetWalk, readKeysetPage } from '../../paging/index.js';
import { DeletionsExpired } from '../../problem-details/index.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { PostCollection, PostDeletion } from '../post-collection.entity.js';
import { PostsStateRepository, type PostsState } from '../posts-state.repository.js';
import { toPubDate } from '../pub-date.js';

export const MS_PER_DAY = 86_400_000;

/** Lists deleted posts, so that copies of the posts can remove them too. */
@Injectable()
export class PostDeletionsService {
  constructor(
    private readonly database: Database,
    private readonly states: PostsStateRepository,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'historyDays'>,
  ) {}

  /**
   * The latest deletion first, and a state of the posts from before the page was read.
   *
   * @param from leaves out earlier deletions; in the stored form of dates
   * @throws DeletionsExpired when deletions since then may have been forgotten
   */
  async page(
    request: KeysetRequest,
    from: string | undefined,
  ): Promise<KeysetPage<PostDeletion> & { readonly state: PostsState }> {
    const { manager } = this.database.reader;
    const horizonMs = await this.states.horizonMs();
    const state = { ...(await this.states.readState()), horizonMs };
    const read = (walk: KeysetWalk): Promise<PostDeletion[]> => {
      const query = manager.createQueryBuilder(PostDeletion, 'deletion');
      if (from !== undefined) query.where('deletion.deletedAt >= :from', { from });
      return walked(query, ['deletion.deletedAt', 'deletion.id'], walk).getMany();
    };
    const page = await readKeysetPage(request, read, ({ deletedAt, id }) => [deletedAt, id]);
    // After the page, so that nothing can be forgotten between the check and the page.
    if (from !== undefined) await this.assertKnownSince(from);
    return { ...page, state };
  }

  /** @throws DeletionsExpired when deletions since then may have been forgotten */
  async assertKnownSince(from: string): Promise<void> {
    const { deletionsSince } = await this.database.reader.manager.findOneByOrFail(PostCollection, {});
    if (from < expiryOf(this.settings.historyDays) || from < deletionsSince) throw new DeletionsExpired();
  }

  /**
   * Forgets deletions from before the deadline.
   *
   * @param deadline in the stored form of dates
   * @param most the maximum number of rows to remove
   * @returns whether more may follow
   */
  forget(deadline: string, most: number): Promise<boolean> {
    return this.database.writeAtLength(async ({ manager }) => {
      const expired = await manager.find(PostDeletion, {
        where: { deletedAt: LessThan(deadline) },
        order: { deletedAt: 'ASC', id: 'ASC' },
        take: most,
      });
      if (expired.length === 0) return false;
      // A restored backup may have set a later one.
      await manager.update(
        PostCollection,
        { deletionsSince: LessThan(deadline) },
        { deletionsSince: deadline },
      );
      await manager.delete(PostDeletion, {
        id: In(expired.map(({ id }) => id)),
        deletedAt: LessThan(deadline),
      });
      return expired.length === most;
    });
  }
}

/**
 * The time before which nothing is kept, in the stored form of dates; empty when everything is.
 *
 * @param now in milliseconds since 1970
 */
export function expiryOf(historyDays: number, now = Date.now()): string {
  return historyDays === 0 ? '' : toPubDate(now - historyDays * MS_PER_DAY);
}
