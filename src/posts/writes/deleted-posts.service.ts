import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/database.js';
import { AuditService } from '../../history/audit.service.js';
import { DeletedPostsRepository, type Deletion } from '../../history/deleted-posts.repository.js';
import { DeletedPostNotFound, PostsNotDeleted } from '../../history/history.service.js';
import { PostHistoryRepository } from '../../history/post-history.repository.js';
import type { DeletedPost } from '../../history/post-revision.entity.js';
import type { Author } from '../../http/request/author.js';
import { type KeysetPage, type KeysetRequest, readKeysetPage } from '../../http/request/keyset-page.js';
import { parseSearch } from '../../search/search-terms.js';
import { PostsRepository } from '../posts.repository.js';
import { PostWritesRepository } from './post-writes.repository.js';

/** Posts are restored in batches, so that memory use does not depend on their number. */
const BATCH_ROWS = 64;
const BATCH_BYTES = 1_048_576;

/** Lists deleted posts, restores them and removes them permanently. */
@Injectable()
export class DeletedPostsService {
  constructor(
    private readonly deletedPosts: DeletedPostsRepository,
    private readonly posts: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly history: PostHistoryRepository,
    private readonly audit: AuditService,
  ) {}

  /** Newest deletion first. @param search words of the title, in the syntax of a list's `search` */
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
   * Restores posts under their ids, with their content at the time of deletion: all of them or none.
   *
   * @throws PostsNotDeleted when some of them exist
   * @throws DeletedPostNotFound when some of them are unknown
   */
  restore(ids: readonly number[], author: Author): Promise<void> {
    return this.writes.transaction(async (transaction) => {
      const deletions = await this.deletedPosts.findForUpdate(transaction, ids);
      const found = new Set(deletions.map(({ postId }) => postId));
      const others = ids.filter((id) => !found.has(id));
      if (others.length > 0) {
        const living: number[] = [];
        for (const id of others) if (await this.posts.findById(id, transaction)) living.push(id);
        throw living.length > 0 ? new PostsNotDeleted(living) : new DeletedPostNotFound(others);
      }
      const by = await this.#asOneEntry(transaction, 'restored', ids, author);
      for (const batch of batchesOf(deletions)) {
        const posts = await this.deletedPosts.contentOf(transaction, batch);
        await this.writes.restore(transaction, posts, by);
      }
    });
  }

  /**
   * Permanently removes deleted posts and their history: all of them or none.
   *
   * @throws DeletedPostNotFound
   */
  purge(ids: readonly number[], author: Author): Promise<void> {
    return this.writes.transaction(async (transaction) => {
      const deletions = await this.deletedPosts.findForUpdate(transaction, ids);
      const found = new Set(deletions.map(({ postId }) => postId));
      const others = ids.filter((id) => !found.has(id));
      if (others.length > 0) throw new DeletedPostNotFound(others);
      await this.deletedPosts.forget(transaction, ids);
      const by = await this.#asOneEntry(transaction, 'purged', ids, author);
      this.history.recordPurges(transaction, deletions, by);
    });
  }

  /**
   * Records an action on several posts as one entry of the change log.
   *
   * @returns the author of the individual changes
   */
  async #asOneEntry(
    transaction: Transaction,
    action: 'restored' | 'purged',
    { length }: readonly number[],
    author: Author,
  ): Promise<Author> {
    if (length === 1) return author;
    return { ...author, partOf: await this.audit.record(transaction, { action, author, count: length }) };
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
