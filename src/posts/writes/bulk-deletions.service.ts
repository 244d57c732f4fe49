import { Injectable } from '@nestjs/common';
import type { Snapshot, Transaction } from '../../database/database.js';
import { AuditService } from '../../history/audit.service.js';
import type { AuditEntry } from '../../history/post-history.repository.js';
import { InFlightRequests } from '../../http/pipeline/in-flight-requests.js';
import type { Author } from '../../http/request/author.js';
import type { Reader } from '../../http/response/response-reader.js';
import { Conflict } from '../../problem-details/problems.js';
import { sortKeyOf, type SortKeyValues } from '../lists/post-ordering.js';
import type { PostFilter } from '../lists/post-selection.js';
import { PostSnapshots } from '../lists/post-snapshots.js';
import { PostsRepository } from '../posts.repository.js';
import { PostWritesRepository } from './post-writes.repository.js';

/** About 20 ms of work on SQLite, which limits how long other requests wait. */
const BATCH_ROWS = 200;
/** The number of deleted ids in the last report, with which the deletion can be undone. */
const MAX_NAMED_IDS = 1_000;

/** The posts to delete: those with these ids, or all that match a filter if their number is the expected `count`. */
export type BulkSelection =
  { readonly ids: readonly number[] } | { readonly filter: PostFilter; readonly count: number };

export interface BulkProgress {
  readonly deleted: number;
  readonly total: number;
  /** Only in the last report: the deleted ids, or the first thousand of them. */
  readonly ids?: readonly number[];
}

/** Posts that are deleted together. A million posts take 16 MB. */
interface Batch {
  readonly ids: readonly number[];
  /** The versions at the time of selection; undefined allows any version. */
  readonly versions?: readonly number[];
}

/** Deletes many posts in batches, so that other requests read and write meanwhile. */
@Injectable()
export class BulkDeletionsService {
  constructor(
    private readonly posts: PostsRepository,
    private readonly writes: PostWritesRepository,
    private readonly snapshots: PostSnapshots,
    private readonly audit: AuditService,
    private readonly inFlightRequests: InFlightRequests,
  ) {}

  /**
   * Selects the posts, and returns a function that deletes them batch by batch, each in its own transaction, for as
   * long as the caller reads its progress. With a filter, posts that are created or changed after the selection are not
   * deleted.
   *
   * @throws CountHasChanged
   */
  async prepare(
    selection: BulkSelection,
    author: Author,
    openReader: () => Reader,
  ): Promise<() => AsyncGenerator<BulkProgress>> {
    const batches =
      'ids' in selection
        ? batchesOf(selection.ids)
        : await this.snapshots.run(openReader(), (snapshot) => this.#collect(selection, snapshot));
    return () => this.#delete(batches, author);
  }

  async #collect(
    { filter, count }: { filter: PostFilter; count: number },
    snapshot: Snapshot,
  ): Promise<Batch[]> {
    const found = await this.posts.count(filter, snapshot);
    if (found !== count) throw new CountHasChanged(count, found);
    const batches: Batch[] = [];
    for await (const batch of this.#matches(filter, snapshot)) batches.push(batch);
    return batches;
  }

  async *#matches(filter: PostFilter, snapshot: Snapshot): AsyncGenerator<Batch> {
    for (let after: SortKeyValues | undefined; ;) {
      const posts = await this.posts.findPage(
        { filter, ordering: 'id', backwards: false, after, offset: 0, rows: BATCH_ROWS, fields: ['id'] },
        snapshot,
      );
      if (posts.length > 0) {
        yield { ids: posts.map(({ id }) => id!), versions: posts.map(({ version }) => version!) };
      }
      if (posts.length < BATCH_ROWS) return;
      after = sortKeyOf(posts.at(-1)!, 'id');
    }
  }

  async *#delete(batches: readonly Batch[], author: Author): AsyncGenerator<BulkProgress> {
    const total = batches.reduce((sum, { ids }) => sum + ids.length, 0);
    const named: number[] = [];
    let deleted = 0;
    // One entry of the change log covers all of them; its count grows with each batch.
    const entry: AuditEntry = { action: 'deleted', author, count: 0 };
    const recorded = (transaction: Transaction): Promise<number> => this.audit.record(transaction, entry);
    const by = total > 1 ? { ...author, partOf: await this.writes.transaction(recorded) } : author;
    for (const batch of batches) {
      this.inFlightRequests.stopDeadline.throwIfAborted();
      const gone = await this.#deleteBatch(batch, by);
      deleted += gone.length;
      named.push(...gone.slice(0, MAX_NAMED_IDS - named.length));
      yield { deleted, total };
    }
    yield { deleted, total, ids: named };
  }

  async #deleteBatch({ ids, versions }: Batch, author: Author): Promise<number[]> {
    const meant = versions && new Map(ids.map((id, index) => [id, versions[index]]));
    const isMeant = ({ id, version }: { id: number; version: number }): boolean =>
      !meant || meant.get(id) === version;
    const counted = (transaction: Transaction, count: number): Promise<void> =>
      author.partOf === undefined ? Promise.resolve() : this.audit.add(transaction, author.partOf, count);
    const { deleted, large } = await this.writes.transaction(async (transaction) => {
      const outcome = await this.writes.deleteAll(transaction, ids, author, isMeant);
      await counted(transaction, outcome.deleted.length);
      return outcome;
    });
    const gone = [...deleted];
    for (const id of large) {
      const isGone = await this.writes.transaction(async (transaction) => {
        const post = await this.writes.findForUpdate(transaction, id);
        if (post === undefined || !isMeant(post)) return false;
        await this.writes.change(transaction, [{ before: post, after: undefined, author }]);
        await counted(transaction, 1);
        return true;
      });
      if (isGone) gone.push(id);
    }
    return gone;
  }
}

function batchesOf(ids: readonly number[]): Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < ids.length; start += BATCH_ROWS) {
    batches.push({ ids: ids.slice(start, start + BATCH_ROWS) });
  }
  return batches;
}

/** 409: the number of matches is not the one that the client has seen, so the filter may not select what was meant. */
export class CountHasChanged extends Conflict {
  constructor(seen: number, now: number) {
    super(`By now ${now} posts match, not ${seen}; nothing was deleted.`);
  }
}
