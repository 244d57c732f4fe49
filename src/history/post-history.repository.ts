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

/** An entry of the change log that is not about a single post. It never contains a secret. */
export interface AuditEntry {
  readonly action: ChangeAction;
  readonly author: Author;
  /** The account or the token that the entry is about. */
  readonly subject?: string | undefined;
  readonly detail?: string | undefined;
  /** The number of occurrences, or of changed posts; 1 by default. */
  readonly count?: number;
}

/** A row of the table without its id and its date. */
interface RevisionRow extends AuditEntry {
  readonly postId: number;
  /** Equals `postId`, unless the row is for several posts that were created together. */
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
  readonly #entryInsertion: Insertion<Omit<PostRevision, 'id'>>;

  constructor(
    private readonly database: Database,
    listeners: PostListeners,
  ) {
    listeners.add(this);
    this.#insertion = new Insertion(database, PostRevision);
    this.#entryInsertion = new Insertion(database, PostRevision, { returning: '"id"' });
  }

  onChanges(transaction: Transaction, changes: readonly PostChange[]): void {
    this.#insert(transaction, rowsOf(changes));
  }

  onImport(transaction: Transaction, { author, first, last }: PostsImport): void {
    this.#insert(transaction, [{ action: 'imported', author, postId: first, lastPostId: last, number: 1 }]);
  }

  /** Records that deleted posts and all of their revisions were removed permanently. */
  recordPurges(transaction: Transaction, deletions: readonly Deletion[], author: Author): void {
    const rows = deletions.map(({ postId, number }): RevisionRow => ({
      action: 'purged',
      author,
      postId,
      lastPostId: postId,
      number: number + 1,
    }));
    this.#insert(transaction, rows);
  }

  /** Adds an entry that is not about a single post. @returns its id */
  async insertEntry(transaction: Transaction, entry: AuditEntry): Promise<number> {
    const row = toRevision(nowAsPubDate(), { count: 1, ...entry, postId: 0, lastPostId: 0, number: 0 });
    const [inserted] = await this.#entryInsertion.run<{ id: number }>(transaction, [row]);
    return inserted!.id;
  }

  async addToCount({ manager }: Transaction, id: number, count: number): Promise<void> {
    await manager.increment(PostRevision, { id }, 'count', count);
  }

  /** @returns the id of the entry */
  insertOrAdd(id: number | undefined, entry: AuditEntry & { readonly count: number }): Promise<number> {
    return this.database.write(async (transaction) => {
      if (id === undefined) return this.insertEntry(transaction, entry);
      await this.addToCount(transaction, id, entry.count);
      return id;
    });
  }

  #insert(transaction: Transaction, rows: readonly RevisionRow[]): void {
    const at = nowAsPubDate();
    this.#insertion.send(
      transaction,
      rows.map((row) => toRevision(at, row)),
    );
  }
}

function toRevision(at: string, row: RevisionRow): Omit<PostRevision, 'id'> {
  const { action, author, postId, lastPostId, number, old } = row;
  const revision = {
    at,
    postId,
    lastPostId,
    number,
    action,
    authorKind: author.kind,
    authorName: author.name ?? null,
    address: author.address ?? null,
    subject: row.subject ?? null,
    detail: row.detail ?? null,
    count: row.count ?? null,
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
