import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../database/database.js';
import { Insertion } from '../database/entity-queries.js';
import type { Author } from '../http/request/author.js';
import { type NewPost, POST_CONTENT } from '../posts/post.entity.js';
import { nowAsPubDate } from '../posts/pub-date.js';
import type { PostChange, PostsImport } from '../posts/writes/post-change.js';
import { type PostChangeListener, PostListeners } from '../posts/writes/post-listeners.js';
import type { Deletion } from './deleted-posts.repository.js';
import { type ChangeAction, OLD, PostRevision } from './post-revision.entity.js';

type Revision = Omit<PostRevision, 'id'>;

/** What is particular about a change. */
interface Recorded extends Pick<Revision, 'postId' | 'number'> {
  readonly action: ChangeAction;
  readonly author: Author;
  /** The last of the posts that one row describes: all from `postId` were created together. */
  readonly lastPostId?: number;
  readonly old?: NewPost | undefined;
}

/**
 * Writes the history: each change is recorded in the transaction that makes it. Only the posts' own table has the
 * current content, so a creation costs one row of some bytes, shared by all posts that one author creates together.
 */
@Injectable()
export class PostHistoryRepository implements PostChangeListener {
  readonly #insertion: Insertion<Omit<PostRevision, 'id'>>;

  constructor(database: Database, listeners: PostListeners) {
    listeners.add(this);
    this.#insertion = new Insertion(database, PostRevision);
  }

  onChanges(transaction: Transaction, changes: readonly PostChange[]): void {
    const at = nowAsPubDate();
    const rows: Revision[] = [];
    for (const change of changes) {
      const row = toRevision(at, recordOf(change));
      const last = rows.at(-1);
      if (last && isNextCreation(last, row)) last.lastPostId = row.postId;
      else rows.push(row);
    }
    transaction.send(...this.#insertion.for(rows));
  }

  onImport(transaction: Transaction, { author, first, last }: PostsImport): void {
    const posts = { action: 'imported', author, postId: first, lastPostId: last, number: 1 } as const;
    transaction.send(...this.#insertion.for([toRevision(nowAsPubDate(), posts)]));
  }

  /** Records that deleted posts and all of their revisions were removed permanently. */
  recordPurges(transaction: Transaction, deletions: readonly Deletion[], author: Author): void {
    const at = nowAsPubDate();
    const rows = deletions.map(({ postId, number }) =>
      toRevision(at, { action: 'purged', author, postId, number: number + 1 }),
    );
    transaction.send(...this.#insertion.for(rows));
  }
}

function recordOf({ action, author, before, after }: PostChange): Recorded {
  if (!after) return { action, author, postId: before.id, number: before.version + 1, old: before };
  const isRestored = before !== undefined && author.restores;
  return {
    action: isRestored ? 'restored' : action,
    author,
    postId: after.id,
    number: after.version,
    old: before,
  };
}

function toRevision(
  at: string,
  { action, author, postId, lastPostId = postId, number, old }: Recorded,
): Revision {
  const revision = {
    at,
    postId,
    lastPostId,
    number,
    action,
    authorKind: author.kind,
    authorName: author.name ?? null,
    address: author.address ?? null,
    subject: null,
    detail: null,
    count: null,
    partOf: author.partOf ?? null,
  };
  const row: Revision = Object.assign(revision, NO_OLD_VALUES);
  if (old) for (const name of POST_CONTENT) row[OLD[name]] = old[name];
  return row;
}

const NO_OLD_VALUES = Object.fromEntries(POST_CONTENT.map((name) => [OLD[name], null])) as Pick<
  Revision,
  (typeof OLD)[keyof NewPost]
>;

/** Whether one row can describe both: the same author has created posts with consecutive ids. */
function isNextCreation(last: Revision, row: Revision): boolean {
  return (
    last.action === 'created' &&
    row.action === 'created' &&
    row.postId === last.lastPostId + 1 &&
    row.authorKind === last.authorKind &&
    row.authorName === last.authorName &&
    row.address === last.address
  );
}
