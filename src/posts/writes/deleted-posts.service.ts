import { Injectable } from '@nestjs/common';
import type { Author } from '../../http/request/author.js';
import { PostsRepository } from '../posts.repository.js';
import { parseSearch } from '../../search/search-terms.js';
import { DeletedPostsRepository, type Deletion } from '../../history/deleted-posts.repository.js';
import { DeletedPostNotFound, PostsNotDeleted } from '../../history/history.service.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../../http/request/keyset-page.js';
import { PostHistoryRepository } from '../../history/post-history.repository.js';
import type { DeletedPost } from '../../history/post-revision.entity.js';

/** So much is brought back at once, so that it takes little memory however much it is in all. */
const BATCH_ROWS = 64;
const BATCH_BYTES = 1_048_576;

/** Knows the posts that were deleted: they can be restored, or removed for good. */
@Injectable()
export class DeletedPostsService {
  constructor(
    private readonly deletedPosts: DeletedPostsRepository,
    private readonly posts: PostsRepository,
    private readonly history: PostHistoryRepository,
  ) {}

  /** The newest deletion first. @param search words of the title, as of a list's `search` */
  page(request: KeysetRequest, search: string | undefined): Promise<KeysetPage<DeletedPost>> {
    const terms = search === undefined ? undefined : parseSearch(search);
    if (search !== undefined && !terms) {
      return Promise.resolve({ rows: [], next: undefined, previous: undefined });
    }
    return readKeysetPage(
      request,
      (walk) => this.deletedPosts.findPage(walk, terms),
      ({ changeId }) => changeId,
    );
  }

  /**
   * Brings posts back under their ids, as they were when they were deleted: all of them or none.
   *
   * @throws PostsNotDeleted when some of them are there
   * @throws DeletedPostNotFound when nothing is known of some of them
   */
  restore(ids: readonly number[], author: Author): Promise<void> {
    return this.posts.transaction(async (transaction) => {
      const deletions = await this.deletedPosts.findForUpdate(transaction, ids);
      const found = new Set(deletions.map(({ postId }) => postId));
      const others = ids.filter((id) => !found.has(id));
      if (others.length > 0) {
        const living: number[] = [];
        for (const id of others) if (await this.posts.findById(id, transaction)) living.push(id);
        throw living.length > 0 ? new PostsNotDeleted(living) : new DeletedPostNotFound(others);
      }
      for (const batch of batchesOf(deletions)) {
        const posts = await this.deletedPosts.contentOf(transaction, batch);
        await this.posts.restore(transaction, posts, author);
      }
    });
  }

  /**
   * Removes a deleted post and all that it ever was, for good.
   *
   * @throws DeletedPostNotFound
   */
  purge(id: number, author: Author): Promise<void> {
    return this.posts.transaction(async (transaction) => {
      const [deletion] = await this.deletedPosts.findForUpdate(transaction, [id]);
      if (!deletion) throw new DeletedPostNotFound([id]);
      await this.deletedPosts.forget(transaction, id);
      await this.history.recordPurge(transaction, id, deletion.number + 1, author);
    });
  }
}

function batchesOf(deletions: readonly Deletion[]): Deletion[][] {
  const batches: Deletion[][] = [];
  let bytes = 0;
  for (const deletion of deletions) {
    bytes += deletion.bytes;
    const last = batches.at(-1);
    if (last && last.length < BATCH_ROWS && bytes <= BATCH_BYTES) {
      last.push(deletion);
    } else {
      batches.push([deletion]);
      bytes = deletion.bytes;
    }
  }
  return batches;
}
