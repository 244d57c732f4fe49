import { Inject, Injectable } from '@nestjs/common';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../../http/request/keyset-page.js';
import { DeletionsExpired } from '../../problem-details/problems.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
import { PostsRepository, type PostsState } from '../posts.repository.js';
import { toPubDate } from '../pub-date.js';
import type { PostDeletion } from './post-deletion.entity.js';
import { PostDeletionsRepository } from './post-deletions.repository.js';

const MS_PER_DAY = 86_400_000;

/** Lists deleted posts, so that copies of the posts can remove them too. */
@Injectable()
export class PostDeletionsService {
  constructor(
    private readonly deletions: PostDeletionsRepository,
    private readonly posts: PostsRepository,
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
    const state = await this.posts.readState();
    const page = await readKeysetPage(
      request,
      (walk) => this.deletions.findPage(walk, from),
      ({ deletedAt, id }) => [deletedAt, id],
    );
    // After the page, so that nothing can be forgotten between the check and the page.
    const { historyDays } = this.settings;
    const expiry = historyDays === 0 ? '' : toPubDate(Date.now() - historyDays * MS_PER_DAY);
    if (from !== undefined && (from < expiry || from < (await this.deletions.knownSince())))
      throw new DeletionsExpired();
    return { ...page, state };
  }
}
