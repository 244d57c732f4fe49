import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { AuditService } from '../history/audit.service.js';
import type { ChangeAction } from '../history/post-revision.entity.js';
import { InFlightRequests } from '../http/request/in-flight-requests.js';
import type { Author } from '../http/request/author.js';
import { Conflict } from '../problem-details/problems.js';

export interface BulkProgress {
  readonly done: number;
  readonly total: number;
  /** Only in the last report: the entry of the change log that covers all of the posts; null for at most one post. */
  readonly entry?: number | null;
}

/**
 * Changes posts in a transaction of its own.
 *
 * @param work changes posts for the author, and returns their number
 */
export type BulkStep = (work: (transaction: Transaction, by: Author) => Promise<number>) => Promise<void>;

export interface BulkAction<Item> {
  readonly action: ChangeAction;
  readonly author: Author;
  /** One for each post. */
  readonly items: readonly Item[];
  /** How many items `apply` gets at a time. */
  readonly batchRows: number;
  readonly apply: (batch: readonly Item[], step: BulkStep) => Promise<void>;
}

/** Changes many posts batch by batch, so that other requests run meanwhile. The change log has one entry for all. */
@Injectable()
export class BulkActions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly inFlightRequests: InFlightRequests,
  ) {}

  /** Starts when the caller reads the progress, and continues for as long as it does. */
  async *run<Item>({
    action,
    author,
    items,
    batchRows,
    apply,
  }: BulkAction<Item>): AsyncGenerator<BulkProgress> {
    const total = items.length;
    const entry =
      total > 1
        ? await this.database.write((transaction) =>
            this.audit.record(transaction, { action, author, count: 0 }),
          )
        : null;
    const by = entry === null ? author : { ...author, partOf: entry };
    let done = 0;
    const step: BulkStep = async (work) => {
      done += await this.database.write(async (transaction) => {
        const changed = await work(transaction, by);
        if (entry !== null && changed > 0) await this.audit.add(transaction, entry, changed);
        return changed;
      });
    };
    for (let start = 0; start < total; start += batchRows) {
      this.inFlightRequests.stopDeadline.throwIfAborted();
      await apply(items.slice(start, start + batchRows), step);
      yield { done, total };
    }
    yield { done, total, entry };
  }
}

/** 409: the number of matches is not the one that the client has seen, so the filter may not select what was meant. */
export class CountHasChanged extends Conflict {
  constructor(seen: number, now: number) {
    super(`By now ${now} posts match, not ${seen}; nothing was changed.`);
  }
}
