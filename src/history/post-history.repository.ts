import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/index.js';
import { type PostChange, type PostChangeListener, PostListeners } from '../posts/writes/post-changes.js';
import { revisionRow, type RevisionRow } from './post-revision.entity.js';
import { type RevisionInserts, revisionInserts } from './post-revisions.sql.js';

/**
 * Writes the history: each change is recorded in the transaction that makes it. Only the posts' own table has the
 * current content, so a creation costs one row of some bytes, shared by all posts that one author creates together.
 */
@Injectable()
export class PostHistoryRepository implements PostChangeListener {
  readonly #insert: RevisionInserts;

  constructor(database: Database, listeners: PostListeners) {
    listeners.add(this);
    this.#insert = revisionInserts(database.dialect);
  }

  onChanges(transaction: Transaction, changes: readonly PostChange[]): void {
    const rows: RevisionRow[] = [];
    for (const change of changes) {
      const { author, before, after } = change;
      const last = rows.at(-1);
      if (last && isNextCreation(last, change)) {
        last.lastPostId += 1;
        continue;
      }
      const { id, version } = after ?? { id: before.id, version: before.version + 1 };
      const action = before && after && author.restores ? 'restored' : change.action;
      rows.push(revisionRow(action, author, id, version, before));
    }
    const { one, several } = this.#insert;
    if (rows.length === 1) transaction.send(one, { ...rows[0]! });
    else if (rows.length > 1) transaction.send(several, { rows: JSON.stringify(rows) });
  }
}

/** Whether one row can describe both: the same author has created posts with consecutive ids. */
function isNextCreation(last: RevisionRow, { action, author, after }: PostChange): boolean {
  return (
    (action === 'created' || action === 'imported') &&
    last.action === action &&
    after.id === last.lastPostId + 1 &&
    (author.name ?? null) === last.authorName &&
    (author.address ?? null) === last.address &&
    author.kind === last.authorKind
  );
}
