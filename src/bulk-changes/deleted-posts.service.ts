import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { DeletedPostsRepository, type Deletion } from '../history/deleted-posts.repository.js';
import { PostHistoryRepository } from '../history/post-history.repository.js';
import type { DeletedPost } from '../history/post-revision.entity.js';
import type { Author } from '../http/request/author.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../http/request/keyset-page.js';
import { BulkActions, type BulkProgress, CountHasChanged } from './bulk-actions.js';
import { postAfter } from '../posts/writes/post-change.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';

/** The number of posts that one transaction restores or removes, and the size of contents that it reads at a time. */
const BATCH_ROWS = 64;
const BATCH_BYTES = 1_048_576;

/**
 * Deleted posts: those with these ids; those that one entry of the change log deleted; or all whose titles have the words
 * of `search`, if their number is the expected `count`.
 */
export interface DeletedSelection {
  readonly ids?: readonly number[] | undefined;
  readonly entry?: number | undefined;
  readonly search?: string | undefined;
  readonly count?: number | undefined;
}

/** Lists deleted posts, restores them and removes them permanently. */
@Injectable()
export class DeletedPostsService {
  constructor(
    private readonly deletedPosts: DeletedPostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly history: PostHistoryRepository,
    private readonly actions: BulkActions,
  ) {}

  /** The last deletion first. @param search words of the titles, in the syntax of a list's `search` */
  page(request: KeysetRequest, search: string | undefined): Promise<KeysetPage<DeletedPost>> {
    return readKeysetPage(
      request,
      (walk) => this.deletedPosts.findPage(walk, search),
      ({ changeId }) => [changeId],
    );
  }

  /** The number of deleted posts whose titles have the words. */
  async count(search: string | undefined): Promise<number> {
    return (await this.deletedPosts.findIds(search)).length;
  }

  /**
   * Selects deleted posts, which are restored batch by batch while the progress is read: under their ids, with their
   * content at the time of deletion. Posts that are not deleted are skipped.
   *
   * @throws CountHasChanged
   */
  async prepareRestoration(
    selection: DeletedSelection,
    author: Author,
  ): Promise<AsyncGenerator<BulkProgress>> {
    return this.#prepare('restored', selection, author, async (transaction, deletions, by) => {
      for (const batch of batchesOf(deletions)) {
        const posts = await this.deletedPosts.contentOf(transaction, batch);
        await this.writes.apply(
          transaction,
          posts.map((post) => ({
            action: 'restored',
            author: by,
            before: undefined,
            after: postAfter(post, post.id, post.version),
          })),
        );
      }
    });
  }

  /**
   * As {@link prepareRestoration}, but removes the posts and their history permanently.
   *
   * @throws CountHasChanged
   */
  async preparePurge(selection: DeletedSelection, author: Author): Promise<AsyncGenerator<BulkProgress>> {
    return this.#prepare('purged', selection, author, async (transaction, deletions, by) => {
      await this.deletedPosts.forget(
        transaction,
        deletions.map(({ postId }) => postId),
      );
      this.history.recordPurges(transaction, deletions, by);
    });
  }

  async #prepare(
    action: 'restored' | 'purged',
    selection: DeletedSelection,
    author: Author,
    change: (transaction: Transaction, deletions: readonly Deletion[], by: Author) => Promise<void>,
  ): Promise<AsyncGenerator<BulkProgress>> {
    return this.actions.run({
      action,
      author,
      items: await this.#select(selection),
      batchRows: BATCH_ROWS,
      apply: (batch, step) =>
        step(async (transaction, by) => {
          const deletions = await this.deletedPosts.findForUpdate(transaction, batch);
          if (deletions.length > 0) await change(transaction, deletions, by);
          return deletions.length;
        }),
    });
  }

  async #select({ ids, entry, search, count = 0 }: DeletedSelection): Promise<readonly number[]> {
    if (ids) return ids;
    if (entry !== undefined) return this.deletedPosts.findIdsOfEntry(entry);
    const found = await this.deletedPosts.findIds(search);
    if (found.length !== count) throw new CountHasChanged(count, found.length);
    return found;
  }
}

/** Batches whose contents are held in memory together. */
function batchesOf(deletions: readonly Deletion[]): Deletion[][] {
  const batches: Deletion[][] = [];
  let bytes = 0;
  for (const deletion of deletions) {
    bytes += deletion.bytes;
    const last = batches.at(-1);
    if (last && bytes <= BATCH_BYTES) {
      last.push(deletion);
    } else {
      batches.push([deletion]);
      bytes = deletion.bytes;
    }
  }
  return batches;
}
