import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../../database/compiled-query.js';
import { Database, type Transaction } from '../../database/database.js';
import type { Author } from '../../http/author.js';
import { matches, type SearchTerms } from '../search/search-terms.js';
import type { KeysetWalk } from './keyset-page.js';
import type { DeletedPost } from './revision.js';

/** What has to be known of a deletion to undo it. */
export interface Deletion {
  /** Of its row in the history. */
  readonly id: number;
  readonly postId: number;
  readonly number: number;
  /** Of what was deleted. */
  readonly bytes: number;
}

interface DeletionRow extends Omit<DeletedPost, 'author'> {
  readonly authorKind: Author['kind'];
  readonly authorName: string | null;
}

/** So many are looked through at once for a title. */
const BATCH_ROWS = 500;

// The second condition is that of the index, by which the databases know that it holds what is asked for.
const STANDS = `
  deletion.action = 'deleted' AND deletion.action NOT IN ('created', 'changed') AND deletion.number > 1
  AND NOT EXISTS (
    SELECT 1 FROM post_revisions later
    WHERE later.post_id = deletion.post_id AND later.number > 1 AND later.number > deletion.number
  )`;

const select = (condition: string, order: 'ASC' | 'DESC'): CompiledQuery =>
  CompiledQuery.fromText(`
    SELECT deletion.id AS "changeId", deletion.post_id AS "id", deletion.old_title AS "title",
      deletion.old_pub_date AS "pubDate", deletion.at AS "deletedAt",
      deletion.author_kind AS "authorKind", deletion.author_name AS "authorName"
    FROM post_revisions deletion WHERE ${STANDS}${condition} ORDER BY deletion.id ${order} LIMIT :rows
  `);

const NEWEST = select('', 'DESC');
const OLDER = select(' AND deletion.id < :after', 'DESC');
const NEWER = select(' AND deletion.id > :after', 'ASC');

const FORGET_CHANGES = CompiledQuery.fromText(
  'DELETE FROM post_revisions WHERE post_id = :postId AND number > 1',
);
const FORGET_CREATION = CompiledQuery.fromText(
  'DELETE FROM post_revisions WHERE post_id = :postId AND last_post_id = :postId AND number = 1',
);

/** Finds the posts that were deleted and can still be restored, and forgets them for good. */
@Injectable()
export class DeletedPostsRepository {
  readonly #lock: CompiledQuery;
  readonly #find: CompiledQuery;

  constructor(private readonly database: Database) {
    const { dialect } = database;
    const sql = `
      SELECT deletion.id AS "id", deletion.post_id AS "postId", deletion.number AS "number",
        octet_length(deletion.old_title) + octet_length(deletion.old_body) AS "bytes"
      FROM post_revisions deletion
      WHERE ${STANDS} AND deletion.post_id ${dialect.isOneOf(':ids')}
      ORDER BY deletion.post_id`;
    this.#find = CompiledQuery.fromText(sql);
    this.#lock = CompiledQuery.fromText(`${sql}${dialect.forUpdate}`);
  }

  /** @param terms leaves out those in whose titles not all of them occur */
  async findPage(walk: KeysetWalk, terms: SearchTerms | undefined): Promise<DeletedPost[]> {
    const found: DeletionRow[] = [];
    for (let { after } = walk; found.length < walk.rows;) {
      const rows = terms ? BATCH_ROWS : walk.rows;
      const batch = await this.#readBatch({ ...walk, after, rows });
      found.push(...(terms ? batch.filter(({ title }) => matches(terms, title, '')) : batch));
      if (batch.length < rows) break;
      after = batch.at(-1)!.changeId;
    }
    return found.slice(0, walk.rows).map(({ authorKind, authorName, ...row }) => ({
      ...row,
      author: { kind: authorKind, name: authorName ?? undefined },
    }));
  }

  /** The deletions of those of the posts that are deleted; nobody else undoes them before the transaction is over. */
  async findForUpdate(transaction: Transaction, ids: readonly number[]): Promise<Deletion[]> {
    const values = { ids: JSON.stringify(ids) };
    // Who had to wait for somebody else learns only from another statement what that one has done.
    if (this.database.dialect.forUpdate !== '') await transaction.all(this.#lock, values);
    return transaction.all<Deletion>(this.#find, values);
  }

  /** Removes all that is kept of a deleted post. */
  async forget(transaction: Transaction, postId: number): Promise<void> {
    await transaction.all(FORGET_CHANGES, { postId });
    await transaction.all(FORGET_CREATION, { postId });
  }

  #readBatch({ backwards, after, rows }: KeysetWalk): Promise<DeletionRow[]> {
    if (after === undefined) return this.database.reader.all<DeletionRow>(NEWEST, { rows });
    return this.database.reader.all<DeletionRow>(backwards ? NEWER : OLDER, { after, rows });
  }
}
