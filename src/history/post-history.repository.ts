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

/** A change of one post, or the creation of all posts from `postId` to `lastPostId`. */
interface RevisionRow {
  readonly action: ChangeAction;
  readonly author: Author;
  readonly postId: number;
  lastPostId: number;
  readonly number: number;
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
    this.#insert(transaction, rowsOf(changes));
  }

  onImport(transaction: Transaction, { author, first, last }: PostsImport): void {
    this.#insert(transaction, [{ action: 'imported', author, postId: first, lastPostId: last, number: 1 }]);
  }

  /** Records that deleted posts and all of their revisions were removed permanently. */
  recordPurges(transaction: Transaction, deletions: readonly Deletion[], author: Author): void {
    const rows = deletions.map(({ postId, number }) => ({
      action: 'purged' as const,
      author,
      postId,
      lastPostId: postId,
      number: number + 1,
    }));
    this.#insert(transaction, rows);
  }

  #insert(transaction: Transaction, rows: readonly RevisionRow[]): void {
    const at = nowAsPubDate();
    this.#insertion.send(
      transaction,
      rows.map((row) => toRevision(at, row)),
    );
  }
}

function toRevision(
  at: string,
  { action, author, postId, lastPostId, number, old }: RevisionRow,
): Omit<PostRevision, 'id'> {
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
  return Object.assign(revision, old ? oldValues(old) : NO_OLD_VALUES);
}

/** The values of most changes. Building them each time would make a creation one per cent slower. */
const NO_OLD_VALUES = oldValues(undefined);

function oldValues(old: NewPost | undefined): Pick<PostRevision, (typeof OLD)[keyof NewPost]> {
  return Object.fromEntries(POST_CONTENT.map((name) => [OLD[name], old?.[name] ?? null])) as ReturnType<
    typeof oldValues
  >;
}

/** One row for each change, and one row for all posts with consecutive ids that an author created. */
function rowsOf(changes: readonly PostChange[]): RevisionRow[] {
  const rows: RevisionRow[] = [];
  for (const change of changes) {
    const row = rowOf(change);
    const last = rows.at(-1);
    if (last && isNextCreation(last, row)) last.lastPostId = row.postId;
    else rows.push(row);
  }
  return rows;
}

function rowOf(change: PostChange): RevisionRow {
  const { action, author } = change;
  if (action === 'deleted') {
    const { id, version } = change.before;
    return { action, author, postId: id, lastPostId: id, number: version + 1, old: change.before };
  }
  const { id, version } = change.after;
  return {
    action: change.before && author.restores ? 'restored' : action,
    author,
    postId: id,
    lastPostId: id,
    number: version,
    old: change.before,
  };
}

function isNextCreation(last: RevisionRow, row: RevisionRow): boolean {
  const areCreated = last.action === 'created' && row.action === 'created';
  return areCreated && row.postId === last.lastPostId + 1 && isSame(row.author, last.author);
}

function isSame(a: Author, b: Author): boolean {
  return a.kind === b.kind && a.name === b.name && a.address === b.address;
}
