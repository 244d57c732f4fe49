import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';
import { ChangeNotFound } from '../history/history.service.js';
import type { Author } from '../http/request/author.js';
import { BulkActions, type BulkProgress, type BulkStep } from '../bulk-changes/bulk-actions.js';
import { BulkDeletionsService } from '../bulk-changes/bulk-deletions.service.js';
import { postAfter } from '../posts/writes/post-change.js';
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
    private readonly deletions: BulkDeletionsService,
  ) {}

  /**
   * Finds the posts of an import, which is undone batch by batch while the progress is read. Posts that were changed
   * since are left as they are, and do not count.
   *
   * @param entry the import's entry of the change log
   * @throws ChangeNotFound
   */
  async prepare(entry: number, author: Author): Promise<AsyncGenerator<BulkProgress>> {
    const parts = await this.imports.findParts(entry);
    if (!parts) throw new ChangeNotFound(entry);
    const action = parts.some(({ revision }) => revision !== undefined) ? 'restored' : 'deleted';
    return this.actions.run({
      action,
      author,
      items: parts,
      batchRows: BATCH_ROWS,
      apply: (batch, step) => this.#undo(batch, step),
    });
  }

  async #undo(batch: readonly ImportPart[], step: BulkStep): Promise<void> {
    await this.deletions.deleteBatch(
      batch.filter(({ revision }) => revision === undefined),
      step,
    );
    for (const { id, version, revision } of batch)
      if (revision !== undefined)
        await step((transaction, by) => this.#restore(transaction, { id, version, revision }, by));
  }

  /** @returns 1 when the import replaced the post, which was not changed since */
  async #restore(
    transaction: Transaction,
    { id, version, revision }: Required<ImportPart>,
    author: Author,
  ): Promise<number> {
    const before = await this.writes.findForUpdate(transaction, id);
    const content = before?.version === version && (await this.imports.contentBefore(transaction, revision));
    if (!content) return 0;
    const after = postAfter(content, id, version + 1);
    await this.writes.apply(transaction, [{ action: 'restored', author, before, after }]);
    return 1;
  }
}
