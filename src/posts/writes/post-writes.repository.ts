import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../database/database.js';
import { Insertion, RowsStatement } from '../../database/entity-queries.js';
import { joined, raw, type Sql, sql } from '../../database/sql.js';
import { LARGE_BODY_BYTES, selectPosts } from '../lists/post-pages.repository.js';
import { Post, POST_CONTENT } from '../post.entity.js';
import type { WithLargeBody } from '../posts.repository.js';
import { changeTime } from './change-time-queries.js';
import { type PostChange, PostListeners } from './post-changes.js';

/** The properties that an update has. */
const UPDATED: readonly string[] = ['id', 'version', ...POST_CONTENT];

/** Changes posts, in a transaction. Posts change only here, so that the listeners are notified of every change. */
@Injectable()
export class PostWritesRepository {
  readonly #byId: Sql;
  readonly #byIds: Sql;
  readonly #unlockedByIds: Sql;
  /** Returns the id and the time of change of each post; the time is the same for all. */
  readonly #insertion: Insertion<Post>;
  readonly #restoration: Insertion<Post>;
  /** Updates the posts that still have the version before the given one, and returns their times of change. */
  readonly #update: RowsStatement<Post>;
  /** `:ids` is a JSON array of ids. */
  readonly #delete: Sql;

  constructor(
    database: Database,
    private readonly listeners: PostListeners,
  ) {
    const { dialect, reader } = database;
    const posts = reader.manager.getRepository(Post);

    this.#byId = sql`${selectPosts()} AND post.id = ${':id'}${raw(dialect.forUpdate)}`;
    const byIds = sql`${selectPosts(undefined, LARGE_BODY_BYTES)} AND post.id ${dialect.isOneOf(':ids')}`;
    this.#unlockedByIds = sql`${byIds}${raw(dialect.forUpdateOfUnlocked)}`;
    this.#byIds = sql`${byIds} ORDER BY post.id${raw(dialect.forUpdate)}`;
    const returning = 'id AS "id", modified AS "modified"';
    const modified = changeTime(dialect);
    this.#insertion = new Insertion(database, Post, { returning, expressions: { modified } });
    this.#restoration = new Insertion(database, Post, { givesIds: true, expressions: { modified } });
    const columns = posts.metadata.columns.filter(({ propertyName }) => UPDATED.includes(propertyName));
    this.#update = new RowsStatement(database, columns, (valueOf, from) => {
      const set = columns
        .filter(({ isPrimary }) => !isPrimary)
        .map(({ databaseName, propertyName }) => sql`${raw(`"${databaseName}"`)} = ${valueOf(propertyName)}`);
      return dialect.checked(sql`UPDATE posts
        SET ${joined(set, ', ')}, modified = ${modified} ${from ?? raw('')}
        WHERE posts.id = ${valueOf('id')} AND posts.version = ${valueOf('version')} - 1
        RETURNING posts.id AS "id", modified AS "modified"`);
    });
    this.#delete = dialect.checked(
      sql`DELETE FROM posts WHERE id ${dialect.isOneOf(':ids')} RETURNING id AS "id"`,
    );
  }

  /**
   * Reads the posts that the transaction is about to change, if they exist. No other transaction changes them before this
   * one ends. The large bodies of several posts are null.
   *
   * @param skipsLocked leaves out posts that another transaction has locked: it takes no time and causes no deadlock
   */
  async findForUpdate(
    transaction: Transaction,
    ids: readonly number[],
    skipsLocked = false,
  ): Promise<WithLargeBody[]> {
    if (ids.length === 0) return [];
    if (ids.length === 1 && !skipsLocked) return transaction.all(this.#byId, { id: ids[0]! });
    return transaction.all(skipsLocked ? this.#unlockedByIds : this.#byIds, { ids: JSON.stringify(ids) });
  }

  /**
   * Makes the changes, of posts that the transaction has locked. Deleted posts are restored under their ids, with versions
   * that they never had before. Replaced posts get their times of change by the end of the transaction. When a post that
   * is replaced or deleted is gone, or has another version, nothing is committed.
   */
  async apply(transaction: Transaction, changes: readonly PostChange[]): Promise<void> {
    const created: Post[] = [];
    const restored: Post[] = [];
    const replaced: Post[] = [];
    const deleted: number[] = [];
    for (const { action, before, after } of changes) {
      if (!after) deleted.push(before.id);
      else if (before) replaced.push(after);
      else (action === 'created' ? created : restored).push(after);
    }
    if (created.length > 0) take(created, await transaction.all<Stored>(...this.#insertion.for(created)));
    if (restored.length > 0) transaction.send(...this.#restoration.for(restored));
    if (replaced.length > 0) {
      const inOrder = replaced.toSorted(byId);
      const [update, values] = this.#update.for(inOrder);
      transaction.change<Stored>(update, values, inOrder.length, (rows) => take(inOrder, rows));
    }
    if (deleted.length > 0)
      transaction.change(this.#delete, { ids: JSON.stringify(deleted) }, deleted.length);
    if (changes.length > 0) await this.listeners.onChanges(transaction, changes);
  }
}

/** What the database sets. */
type Stored = Pick<Post, 'id' | 'modified'>;

/** @param posts in the order of their ids, which new posts get in this order */
function take(posts: readonly Post[], rows: Stored[]): void {
  // RETURNING guarantees no order of its rows.
  rows.sort(byId);
  for (const [index, post] of posts.entries()) Object.assign(post, rows[index]);
}

function byId(a: Pick<Post, 'id'>, b: Pick<Post, 'id'>): number {
  return a.id - b.id;
}

export function hasBody(post: WithLargeBody): post is Post {
  return post.body !== null;
}
