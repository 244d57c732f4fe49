import { Injectable } from '@nestjs/common';
import { CompiledQuery, type QueryValues } from '../../database/compiled-query.js';
import type { Transaction } from '../../database/database.js';
import type { Author } from '../../http/author.js';
import type { PostChange, PostCompanion, PostsImport } from '../post-change.js';
import type { NewPost } from '../posts.repository.js';
import { nowAsPubDate } from '../pub-date.js';
import type { ChangeAction } from './revision.js';

/** A row of the table, but for its id and its date. */
interface RevisionRow {
  readonly action: ChangeAction;
  readonly author: Author;
  readonly postId: number;
  /** The same, unless the row is for several posts that were made together. */
  readonly lastPostId: number;
  readonly number: number;
  /** What the change replaced or deleted. */
  readonly old?: NewPost;
}

/** How many rows a statement inserts. */
const INSERT_SIZES = [64, 16, 4, 1] as const;

const COLUMNS = [
  ['post_id', 'postId'],
  ['last_post_id', 'lastPostId'],
  ['number', 'number'],
  ['action', 'action'],
  ['author_kind', 'authorKind'],
  ['author_name', 'authorName'],
  ['old_title', 'title'],
  ['old_pub_date', 'pubDate'],
  ['old_body', 'body'],
] as const;

const INSERTS: ReadonlyMap<number, CompiledQuery> = new Map(
  INSERT_SIZES.map((size) => [size, insertOf(size)]),
);

/**
 * Keeps the history: each change is recorded in the transaction that makes it. What a post is now is in its own table
 * alone, so that to make one costs a row of some bytes, shared by all that one author makes together.
 */
@Injectable()
export class PostHistoryRepository implements PostCompanion {
  async record(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    await this.#insert(transaction, rowsOf(changes));
  }

  async recordImport(transaction: Transaction, { author, first, last }: PostsImport): Promise<void> {
    await this.#insert(transaction, [
      { action: 'imported', author, postId: first, lastPostId: last, number: 1 },
    ]);
  }

  /** Records that a deleted post and all of its revisions are gone for good. */
  async recordPurge(transaction: Transaction, postId: number, number: number, author: Author): Promise<void> {
    await this.#insert(transaction, [{ action: 'purged', author, postId, lastPostId: postId, number }]);
  }

  async #insert(transaction: Transaction, rows: readonly RevisionRow[]): Promise<void> {
    const at = nowAsPubDate();
    for (let start = 0; start < rows.length;) {
      const size = INSERT_SIZES.find((each) => each <= rows.length - start)!;
      await transaction.all(INSERTS.get(size)!, valuesOf(rows.slice(start, start + size), at));
      start += size;
    }
  }
}

/** One for each change, and one for all posts with ids in a row that an author has made. */
function rowsOf(changes: readonly PostChange[]): RevisionRow[] {
  const rows: RevisionRow[] = [];
  for (const change of changes) {
    const row = rowOf(change);
    const last = rows.at(-1);
    if (last && isNextCreation(last, row)) rows[rows.length - 1] = { ...last, lastPostId: row.postId };
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
  const row = { action, author, postId: id, lastPostId: id, number: version };
  return change.before ? { ...row, old: change.before } : row;
}

function isNextCreation(last: RevisionRow, row: RevisionRow): boolean {
  const areCreated = last.action === 'created' && row.action === 'created';
  return areCreated && row.postId === last.lastPostId + 1 && isSame(row.author, last.author);
}

function isSame(a: Author, b: Author): boolean {
  return a.kind === b.kind && a.name === b.name;
}

function insertOf(size: number): CompiledQuery {
  const rows = Array.from(
    { length: size },
    (_, index) => `(:at, ${COLUMNS.map(([, name]) => `:${name}${index}`).join(', ')})`,
  );
  const names = COLUMNS.map(([column]) => `"${column}"`).join(', ');
  return CompiledQuery.fromText(`INSERT INTO post_revisions ("at", ${names}) VALUES ${rows.join(', ')}`);
}

function valuesOf(rows: readonly RevisionRow[], at: string): QueryValues {
  const values: Record<string, string | number | null> = { at };
  rows.forEach(({ author, old, ...row }, index) => {
    const all = {
      ...row,
      authorKind: author.kind,
      authorName: author.name ?? null,
      title: old?.title ?? null,
      pubDate: old?.pubDate ?? null,
      body: old?.body ?? null,
    };
    for (const [, name] of COLUMNS) values[name + index] = all[name];
  });
  return values;
}
