import { Inject, Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { Database, type Queryable, walked } from '../../database/index.js';
import { type KeysetPage, type KeysetRequest, type KeysetWalk, readKeysetPage } from '../../paging/index.js';
import type { Client } from '../../limits/index.js';
import { DeletionsExpired } from './deletions.problems.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { PostCollection, PostDeletion } from '../post-collection.entity.js';
import { PostsStateRepository, type PostsState } from '../posts-state.repository.js';
import { toPubDate } from '../pub-date.js';

const MS_PER_DAY = 86_400_000;
/**
 * The longest rest of a service that is believed: now is at most this long, or half of HISTORY_DAYS, after the newest change
 * of a post. A clock that is ahead, as after a failed battery, would otherwise remove all history and all deleted posts; in
 * turn, a service at rest removes them later.
 */
const MAX_REST_DAYS = 30;

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
   * @param client waits for the page
   * @throws DeletionsExpired when deletions since then may have been forgotten
   */
  async page(
    request: KeysetRequest,
    from: string | undefined,
    client: Client,
  ): Promise<KeysetPage<PostDeletion> & { readonly state: PostsState }> {
    const reader = this.database.readerOf(client);
    const horizonMs = await this.states.horizonMs();
    const state = { ...(await this.states.readState(reader)), horizonMs };
    const read = (walk: KeysetWalk): Promise<PostDeletion[]> => {
      const query = reader.manager.createQueryBuilder(PostDeletion, 'deletion');
      if (from !== undefined) query.where('deletion.deletedAt >= :from', { from });
      return walked(query, ['deletion.deletedAt', 'deletion.id'], walk).getMany();
    };
    const page = await readKeysetPage(request, read, ({ deletedAt, id }) => [deletedAt, id]);
    // After the page, so that nothing can be forgotten between the check and the page.
    if (from !== undefined) await this.#assertKnownSince(from, reader);
    return { ...page, state };
  }

  /** @throws DeletionsExpired when deletions since then may have been forgotten */
  assertKnownSince(from: string, client: Client): Promise<void> {
    return this.#assertKnownSince(from, this.database.readerOf(client));
  }

  async #assertKnownSince(from: string, reader: Queryable): Promise<void> {
    const { modified } = await this.states.readState(reader);
    const { deletionsSince } = await reader.manager.findOneByOrFail(PostCollection, {});
    if (from < keptSince(this.settings.historyDays, modified) || from < deletionsSince)
      throw new DeletionsExpired();
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
 * The time from which everything is kept, in the stored form of dates; empty when nothing is ever removed. It is before the
 * newest change, however long ago that was: the `Last-Modified` of a list is always a time that a copy may continue from.
 *
 * @param modified the time of the newest change of any post, in the stored form
 * @param now in milliseconds since 1970
 */
export function keptSince(historyDays: number, modified: string, now = Date.now()): string {
  if (historyDays === 0) return '';
  const restMs = Math.min(MAX_REST_DAYS, historyDays / 2) * MS_PER_DAY;
  return toPubDate(Math.min(now, Date.parse(modified) + restMs) - historyDays * MS_PER_DAY);
}
