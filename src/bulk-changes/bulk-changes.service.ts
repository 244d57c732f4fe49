import { Injectable } from '@nestjs/common';
import { Database, type Snapshot, type Transaction, type Work } from '../database/index.js';
import { AuditService } from '../history/audit.service.js';
import { type DeletedPostFilter, DeletedPostsService } from '../history/deleted-posts.service.js';
import type { ChangeAction } from '../history/post-revision.entity.js';
import type { Author, User } from '../users/user.js';
import { workWhileAllowed } from '../users/permissions.js';
import type { Client } from '../limits/index.js';
import { PostListsService } from '../posts/lists/post-lists.service.js';
import { LARGE_BODY_BYTES } from '../posts/post.entity.js';
import type { PostFilter } from '../posts/lists/post-selection.js';
import { PostSnapshots } from '../posts/lists/post-snapshots.js';
import { type PostChange, postAfter } from '../posts/writes/post-changes.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import { TakenValuesRepository } from '../posts/writes/taken-values.repository.js';
import { Conflict, Problem } from '../problem-details/index.js';

/** About 20 ms of work on SQLite, which limits how long other requests wait. */
const BATCH_ROWS = 200;

/** The ids of all posts of a change are in memory: some 50 MiB. */
export const MAX_BULK_POSTS = 1_000_000;

/** All posts that match a filter, if their number is the expected `count`. */
interface FilterSelection {
  readonly filter: PostFilter;
  readonly count: number;
}

/** Deleted posts: those with these ids, or all that match the filter, if their number is the expected `count`. */
interface DeletedSelection extends DeletedPostFilter {
  readonly ids?: readonly number[] | undefined;
  /** Undefined allows any number. */
  readonly count?: number | undefined;
}

/** A post to change if it still has the version that was meant; undefined allows any version. */
interface MeantPost {
  readonly id: number;
  readonly version?: number;
}

export interface BulkProgress {
  readonly done: number;
  readonly total: number;
  /** Only in the last report: the entry of the change log that covers all of the posts; null for at most one post. */
  readonly entry?: number | null;
}

/** Progress whose reader drives the change: batch by batch, for as long as it reads. */
type BulkRun = AsyncGenerator<BulkProgress>;

/** What a transaction did with a batch. */
interface BatchOutcome<Item> {
  /** How many posts it has changed. */
  readonly changed: number;
  /** Items that each need a transaction of their own, such as posts with large bodies. */
  readonly left?: readonly Item[];
}

type BatchWork<Item> = (transaction: Transaction) => Promise<BatchOutcome<Item>>;

/** Changes many posts batch by batch, so that other requests run meanwhile. The change log has one entry for all. */
@Injectable()
export class BulkChangesService {
  constructor(
    private readonly database: Database,
    private readonly lists: PostListsService,
    private readonly writes: PostWritesRepository,
    private readonly snapshots: PostSnapshots,
    private readonly takenValues: TakenValuesRepository,
    private readonly deletedPosts: DeletedPostsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Selects posts to delete. With a filter, posts that are created or changed after the selection are not deleted.
   *
   * @throws CountHasChanged
   */
  async deletePosts(
    selection: { readonly ids: readonly number[] } | FilterSelection,
    user: User,
    client: Client,
  ): Promise<BulkRun> {
    const posts =
      'ids' in selection
        ? selection.ids.map((id) => ({ id }))
        : await this.snapshots.run(client, (snapshot) =>
            allOf(this.#find(selection.filter, snapshot), selection.count),
          );
    return this.#run<MeantPost>('deleted', { user, client }, posts, (batch, by) => async (transaction) => {
      const versions = new Map(batch.map(({ id, version }) => [id, version]));
      const found = await this.writes.findForUpdate(transaction, [...versions.keys()]);
      const meant = found.filter(({ id, version }) => (versions.get(id) ?? version) === version);
      await this.writes.apply(
        transaction,
        meant.map((before) => ({ action: 'deleted', author: by, before, after: undefined })),
      );
      // They have large bodies, or are gone.
      const ids = new Set(found.map(({ id }) => id));
      const left = batch.length === 1 ? [] : batch.filter(({ id }) => !ids.has(id));
      return { changed: meant.length, left };
    });
  }

  /**
   * Selects deleted posts to restore: under their ids, with their content at the time of deletion. Posts that are not
   * deleted are skipped.
   *
   * @throws CountHasChanged
   * @throws ValuesAreTaken when other posts have unique values of some of them by now
   */
  async restorePosts(selection: DeletedSelection, user: User, client: Client): Promise<BulkRun> {
    const ids = await this.#selectDeleted(selection, client);
    await this.#assertNoneTaken(ids, client);
    const reader = this.database.readerOf(client);
    return this.#run('restored', { user, client }, ids, async (batch, by) => {
      const deletions = await this.deletedPosts.find(batch, reader);
      const isLeft = (deletion: { readonly bytes: number }): boolean => batch.length > 1 && isLarge(deletion);
      const left = deletions.filter(isLeft).map(({ postId }) => postId);
      const posts = await this.deletedPosts.contentBefore(
        deletions.filter((each) => !isLeft(each)),
        reader,
      );
      const restorations: PostChange[] = [];
      for (const post of posts) {
        const after = postAfter(post, post.id, post.version);
        const prepared = await this.writes.prepare(post, client);
        restorations.push({ action: 'restored', author: by, before: undefined, after, prepared });
      }
      return async (transaction) => {
        const standing = await this.deletedPosts.findForUpdate(
          transaction,
          posts.map(({ id }) => id),
        );
        const versions = new Map(standing.map(({ postId, number }) => [postId, number + 1]));
        const changes = restorations.filter(({ after }) => versions.get(after!.id) === after!.version);
        await this.writes.apply(transaction, changes);
        return { changed: changes.length, left };
      };
    });
  }

  /** As {@link restorePosts}, but removes the posts and their history permanently. @throws CountHasChanged */
  async purgePosts(selection: DeletedSelection, user: User, client: Client): Promise<BulkRun> {
    const ids = await this.#selectDeleted(selection, client);
    return this.#run('purged', { user, client }, ids, (batch, by) => async (transaction) => {
      const deletions = await this.deletedPosts.findForUpdate(transaction, batch);
      await this.deletedPosts.purge(transaction, deletions, by);
      return { changed: deletions.length };
    });
  }

  /** @throws ValuesAreTaken */
  async #assertNoneTaken(ids: readonly number[], client: Client): Promise<void> {
    const search = this.takenValues.search(client);
    if (search.isIdle) return;
    const reader = this.database.readerOf(client);
    const taken: TakenPost[] = [];
    for (let start = 0; start < ids.length; start += BATCH_ROWS) {
      const deletions = await this.deletedPosts.find(ids.slice(start, start + BATCH_ROWS), reader);
      const large = deletions.filter(isLarge);
      const small = deletions.filter((deletion) => !isLarge(deletion));
      for (const together of [small, ...large.map((deletion) => [deletion])]) {
        const posts = await this.deletedPosts.contentBefore(together, reader);
        await search.look(posts);
        for (const post of posts) {
          const problem = search.problemOf(post, post.id);
          if (problem) taken.push({ id: post.id, problem });
        }
      }
    }
    if (taken.length > 0) throw new ValuesAreTaken(taken);
  }

  async *#run<Item>(
    action: ChangeAction,
    { user, client }: { readonly user: User; readonly client: Client },
    items: readonly Item[],
    change: (batch: readonly Item[], by: Author) => BatchWork<Item> | Promise<BatchWork<Item>>,
  ): BulkRun {
    const total = items.length;
    const { author } = user;
    const needed = action === 'purged' ? 'administrator' : 'editor';
    /** The author may lose the permission before the first transaction, and between two of them. */
    const write = <Result>(work: Work<Result>): Promise<Result> =>
      this.database.write(workWhileAllowed(author, needed, work), client);
    const entry =
      total > 1
        ? await write((transaction) => this.audit.record(transaction, { action, author, count: 0 }))
        : null;
    const by = entry === null ? author : { ...author, partOf: entry };
    let done = 0;
    const apply = async (batch: readonly Item[]): Promise<readonly Item[]> => {
      const work = await change(batch, by);
      const { changed, left = [] } = await write(async (transaction) => {
        const outcome = await work(transaction);
        if (entry !== null && outcome.changed > 0) await this.audit.add(transaction, entry, outcome.changed);
        return outcome;
      });
      done += changed;
      return left;
    };
    for (let start = 0; start < total; start += BATCH_ROWS) {
      for (const item of await apply(items.slice(start, start + BATCH_ROWS))) await apply([item]);
      yield { done, total };
    }
    yield { done, total, entry };
  }

  async *#find(filter: PostFilter, snapshot: Snapshot): AsyncGenerator<MeantPost> {
    const list = { filter, ordering: 'id', fields: ['id'] } as const;
    for await (const { posts } of this.lists.walk(list, snapshot))
      for (const { id, version } of posts) yield { id, version };
  }

  async #selectDeleted(
    { ids, count, ...filter }: DeletedSelection,
    client: Client,
  ): Promise<readonly number[]> {
    return ids ?? allOf(this.deletedPosts.ids(filter, client), count);
  }
}

function isLarge({ bytes }: { readonly bytes: number }): boolean {
  return bytes > LARGE_BODY_BYTES;
}

/**
 * All posts that are found, or the first {@link MAX_BULK_POSTS}.
 *
 * @param count the expected number
 * @throws CountHasChanged
 */
async function allOf<Item>(found: AsyncIterable<Item>, count?: number): Promise<Item[]> {
  const meant: Item[] = [];
  let number = 0;
  for await (const item of found) {
    number += 1;
    if (number <= (count ?? MAX_BULK_POSTS)) meant.push(item);
  }
  if (count !== undefined && number !== count) throw new CountHasChanged(count, number);
  return meant;
}

/** 409: the number of matches is not the one that the client has seen, so the filter may not select what was meant. */
class CountHasChanged extends Conflict {
  constructor(seen: number, now: number) {
    super(`By now ${now} posts match, not ${seen}; nothing was changed.`);
  }
}

/** A deleted post with a unique value that another post has by now. */
interface TakenPost {
  readonly id: number;
  readonly problem: Problem;
}

/** How many of them a problem names, besides the first. */
const MAX_NAMED = 100;

/** 409: other posts have unique values of deleted posts by now. */
class ValuesAreTaken extends Problem {
  /** @param taken at least one */
  constructor(taken: readonly TakenPost[]) {
    const [first, ...others] = taken;
    const { id, problem } = first!;
    const named = others.slice(0, MAX_NAMED).map((each) => each.id);
    const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : '';
    const rest = others.length > 0 ? ` Nor can these: ${named.join(', ')}${more}.` : '';
    super(`The post ${id} cannot be restored, so none was restored: ${problem.message}${rest}`, {
      kind: problem.kind,
    });
  }
}
