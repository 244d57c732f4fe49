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

export interface BulkAction<Batch> {
  readonly action: ChangeAction;
  readonly author: Author;
  readonly batches: readonly Batch[];
  readonly apply: (batch: Batch, step: BulkStep) => Promise<void>;
}

/** Changes many posts batch by batch, so that other requests run meanwhile. The change log has one entry for all. */
@Injectable()
export class BulkActions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly inFlightRequests: InFlightRequests,
  ) {}

  /** Continues for as long as the caller reads the progress. */
  async *run<Batch extends { readonly length: number }>({
    action,
    author,
    batches,
    apply,
  }: BulkAction<Batch>): AsyncGenerator<BulkProgress> {
    const total = batches.reduce((sum, { length }) => sum + length, 0);
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
    for (const batch of batches) {
      this.inFlightRequests.stopDeadline.throwIfAborted();
      await apply(batch, step);
      yield { done, total };
    }
    yield { done, total, entry };
  }
}

/** Splits a list into lists of at most `length` entries. */
export function inBatches<Entry>(entries: readonly Entry[], length: number): (readonly Entry[])[] {
  return Array.from({ length: Math.ceil(entries.length / length) }, (_, index) =>
    entries.slice(index * length, (index + 1) * length),
  );
}

/** 409: the number of matches is not the one that the client has seen, so the filter may not select what was meant. */
export class CountHasChanged extends Conflict {
  constructor(seen: number, now: number) {
    super(`By now ${now} posts match, not ${seen}; nothing was changed.`);
  }
}
