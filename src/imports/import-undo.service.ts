import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { ChangeNotFound } from '../history/history.service.js';
import type { Author } from '../http/request/author.js';
import { BulkActions, type BulkProgress, type BulkStep, inBatches } from '../bulk-changes/bulk-actions.js';
import { PostWritesRepository } from '../posts/writes/post-writes.repository.js';
import { type ImportPart, LoggedImportsRepository } from './logged-imports.repository.js';

/** About 20 ms of work on SQLite, which limits how long other requests wait. */
const BATCH_ROWS = 200;

/** Undoes imports: deletes what they created, and restores what they replaced. */
@Injectable()
export class ImportUndoService {
  constructor(
    private readonly imports: LoggedImportsRepository,
    private readonly writes: PostWritesRepository,
    private readonly actions: BulkActions,
  ) {}

  /**
   * Finds the posts of an import, and returns a function that undoes it batch by batch. Posts that were changed since
   * are left as they are, and do not count.
   *
   * @param entry the import's entry of the change log
   * @throws ChangeNotFound
   */
  async prepare(entry: number, author: Author): Promise<() => AsyncGenerator<BulkProgress>> {
    const parts = await this.imports.findParts(entry);
    if (!parts) throw new ChangeNotFound(entry);
    const action = parts.some(({ revision }) => revision !== undefined) ? 'restored' : 'deleted';
    const batches = inBatches(parts, BATCH_ROWS);
    return () =>
      this.actions.run({ action, author, batches, apply: (batch, step) => this.#undo(batch, step) });
  }

  async #undo(batch: readonly ImportPart[], step: BulkStep): Promise<void> {
    const created = batch.filter(({ revision }) => revision === undefined).map(({ id }) => id);
    let large: readonly number[] = [];
    await step(async (transaction, by) => {
      const outcome = await this.writes.deleteAll(transaction, created, by, ({ version }) => version === 1);
      ({ large } = outcome);
      return outcome.deleted.length;
    });
    for (const id of large)
      await step((transaction, by) => this.#undoOne(transaction, { id, version: 1 }, by));
    for (const part of batch)
      if (part.revision !== undefined) await step((transaction, by) => this.#undoOne(transaction, part, by));
  }

  /** @returns 1 when the post is as the import left it, and was changed */
  async #undoOne(
    transaction: Transaction,
    { id, version, revision }: ImportPart,
    author: Author,
  ): Promise<number> {
    const before = await this.writes.findForUpdate(transaction, id);
    if (before?.version !== version) return 0;
    if (revision === undefined) {
      await this.writes.change(transaction, [{ action: 'deleted', author, before, after: undefined }]);
      return 1;
    }
    const content = await this.imports.contentBefore(transaction, revision);
    if (!content) return 0;
    const after = { ...content, id, version: version + 1 };
    await this.writes.change(transaction, [{ action: 'restored', author, before, after }]);
    return 1;
  }
}
