import { Injectable } from '@nestjs/common';
import type { Snapshot, Transaction } from '../database/database.js';
import type { Author } from '../http/request/author.js';
import type { Reader } from '../http/request/client-shares.js';
import { keysetBatches, type KeysetWalk } from '../http/request/keyset-page.js';
import type { ListedPost } from '../posts/lists/post-pages.repository.js';
import type { PostFilter } from '../posts/lists/post-selection.js';
import { PostSnapshots } from '../posts/lists/post-snapshots.js';
import type { Post } from '../posts/post.entity.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { BulkActions, type BulkProgress, type BulkStep, CountHasChanged } from './bulk-actions.js';
import { hasBody, PostWritesRepository } from '../posts/writes/post-writes.repository.js';

/** About 20 ms of work on SQLite, which limits how long other requests wait. */
const BATCH_ROWS = 200;

/** All posts that match a filter, if their number is the expected `count`. */
interface FilterSelection {
  readonly filter: PostFilter;
  readonly count: number;
}

/** The posts to delete. */
export type BulkSelection = { readonly ids: readonly number[] } | FilterSelection;

/** A post to delete if it still has the version that was meant; undefined allows any version. */
interface MeantPost {
  readonly id: number;
  readonly version?: number;
}

/** Deletes many posts in batches, so that other requests read and write meanwhile. */
@Injectable()
export class BulkDeletionsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly snapshots: PostSnapshots,
    private readonly actions: BulkActions,
  ) {}

  /**
   * Selects the posts, which are deleted batch by batch while the progress is read. With a filter, posts that are created
   * or changed after the selection are not deleted.
   *
   * @throws CountHasChanged
   */
  async prepare(
    selection: BulkSelection,
    author: Author,
    openReader: () => Reader,
  ): Promise<AsyncGenerator<BulkProgress>> {
    return this.actions.run({
      action: 'deleted',
      author,
      items: await this.#find(selection, openReader),
      batchRows: BATCH_ROWS,
      apply: (batch, step) => this.deleteBatch(batch, step),
    });
  }

  async #find(selection: BulkSelection, openReader: () => Reader): Promise<MeantPost[]> {
    if ('ids' in selection) return selection.ids.map((id) => ({ id }));
    return this.snapshots.run(openReader(), (snapshot) => this.#select(selection, snapshot));
  }

  async #select({ filter, count }: FilterSelection, snapshot: Snapshot): Promise<MeantPost[]> {
    const meant: MeantPost[] = [];
    const page = { filter, ordering: 'id', fields: ['id'] } as const;
    const read = (walk: KeysetWalk): Promise<ListedPost[]> =>
      this.posts.findPage({ ...page, ...walk }, snapshot);
    for await (const posts of keysetBatches({ rows: BATCH_ROWS }, read, ({ id }) => [id]))
      meant.push(...posts.map(({ id, version }) => ({ id, version })));
    if (meant.length !== count) throw new CountHasChanged(count, meant.length);
    return meant;
  }

  /** Deletes the posts in one transaction, and each post with a large body in its own. */
  async deleteBatch(batch: readonly MeantPost[], step: BulkStep): Promise<void> {
    const versions = new Map(batch.map(({ id, version }) => [id, version]));
    const isMeant = ({ id, version }: { id: number; version: number }): boolean =>
      (versions.get(id) ?? version) === version;
    const remove = (transaction: Transaction, by: Author, posts: readonly Post[]): Promise<unknown> =>
      this.writes.apply(
        transaction,
        posts.map((before) => ({ action: 'deleted', author: by, before, after: undefined })),
      );
    let large: readonly number[] = [];
    await step(async (transaction, by) => {
      const found = await this.writes.findAllForUpdate(transaction, [...versions.keys()]);
      const meant = found.filter(isMeant);
      const small = meant.filter(hasBody);
      // Assigned, because the work may run again.
      large = meant.filter(({ body }) => body === null).map(({ id }) => id);
      await remove(transaction, by, small);
      return small.length;
    });
    for (const id of large) {
      await step(async (transaction, by) => {
        const post = await this.writes.findForUpdate(transaction, id);
        if (!post || !isMeant(post)) return 0;
        await remove(transaction, by, [post]);
        return 1;
      });
    }
  }
}
