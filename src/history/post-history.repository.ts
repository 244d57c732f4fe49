import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/index.js';
import type { Author } from '../users/user.js';
import type { NewPost } from '../posts/post.entity.js';
import { toPubDate } from '../posts/pub-date.js';
import { type PostChange, type PostChangeListener, PostListeners } from '../posts/writes/post-changes.js';
import type { ChangeAction, PostRevision } from './post-revision.entity.js';
import { type RevisionInserts, revisionInserts } from './post-revisions.sql.js';

export type RevisionRow = Omit<PostRevision, 'id'>;

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

/** A row about a post, or, with the number 0, of an entry that is not about one. */
export function revisionRow(
  action: ChangeAction,
  author: Author,
  postId: number,
  number: number,
  old?: NewPost,
): RevisionRow {
  return {
    at: toPubDate(),
    postId,
    lastPostId: postId,
    number,
    action,
    authorKind: author.kind,
    authorName: author.name ?? null,
    oldTitle: old?.title ?? null,
    oldPubDate: old?.pubDate ?? null,
    oldBody: old?.body ?? null,
    address: author.address ?? null,
    subject: null,
    detail: null,
    count: null,
    partOf: author.partOf ?? null,
  };
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
