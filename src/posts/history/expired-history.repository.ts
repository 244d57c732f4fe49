import { Injectable } from '@nestjs/common';
import { CompiledQuery } from '../../database/compiled-query.js';
import { tryLock } from '../../database/database-lock.js';
import { Database, type Transaction } from '../../database/database.js';

/** How many rows are looked at by one statement. */
const WALK_ROWS = 2_000;

/** Names the lock of the instance that is at it. (It is "expire" in ASCII.) */
const LOCK = 0x657870697265n;

// A row that has no old values is of no weight; the dates ascend with the ids.
const EXPIRED = CompiledQuery.fromText(`
  SELECT id AS "id", at AS "at", CASE WHEN old_title IS NULL AND action <> 'purged' THEN 0 ELSE 1 END AS "isHeavy"
  FROM post_revisions WHERE id > :after ORDER BY id LIMIT ${WALK_ROWS}
`);

/** How far the walk over the history has come. */
export interface ExpiryProgress {
  /** The last row that was looked at. */
  readonly after: number;
  /** Whether rows of before the deadline may follow. */
  readonly isMore: boolean;
}

/**
 * Forgets what is kept long enough: what a revision was that was replaced so long ago, and with it the older revisions;
 * and all of a post that was deleted so long ago. What tells of the post as it is stays.
 */
@Injectable()
export class ExpiredHistoryRepository {
  readonly #emptyValues: CompiledQuery;
  readonly #older: CompiledQuery;
  readonly #creations: CompiledQuery;
  readonly #gone: CompiledQuery;

  constructor(private readonly database: Database) {
    const isOneOf = database.dialect.isOneOf(':ids');
    this.#emptyValues = CompiledQuery.fromText(
      `UPDATE post_revisions SET old_title = NULL, old_pub_date = NULL, old_body = NULL WHERE id ${isOneOf}`,
    );
    this.#older = CompiledQuery.fromText(`
      DELETE FROM post_revisions WHERE id IN (
        SELECT older.id FROM post_revisions expired
        JOIN post_revisions older
          ON older.post_id = expired.post_id AND older.number > 1 AND older.number < expired.number
        WHERE expired.id ${isOneOf}
      )`);
    const isLast = `NOT EXISTS (
      SELECT 1 FROM post_revisions later
      WHERE later.post_id = expired.post_id AND later.number > 1 AND later.number > expired.number
    )`;
    const lastOfGone = `FROM post_revisions expired
      WHERE expired.id ${isOneOf} AND expired.action IN ('deleted', 'purged') AND ${isLast}`;
    this.#creations = CompiledQuery.fromText(`
      DELETE FROM post_revisions
      WHERE number = 1 AND last_post_id = post_id AND post_id IN (SELECT expired.post_id ${lastOfGone})`);
    this.#gone = CompiledQuery.fromText(
      `DELETE FROM post_revisions WHERE id IN (SELECT expired.id ${lastOfGone})`,
    );
  }

  /**
   * Looks at some rows, and forgets those that are older than the deadline.
   *
   * @param deadline stored form of a date
   * @param most how many rows are changed at the most
   */
  async forget(deadline: string, after: number, most: number): Promise<ExpiryProgress> {
    const rows = await this.database.reader.all<{ id: number; at: string; isHeavy: number }>(EXPIRED, {
      after,
    });
    const end = rows.findIndex(({ at }) => at >= deadline);
    const old = end < 0 ? rows : rows.slice(0, end);
    const expired = old.filter(({ isHeavy }) => isHeavy === 1).slice(0, most);
    if (expired.length > 0) {
      const isDone = await this.database.writeInBackground((transaction) =>
        this.#forget(
          transaction,
          expired.map(({ id }) => id),
        ),
      );
      // Another instance is at it.
      if (!isDone) return { after, isMore: false };
    }
    const isCut = expired.length === most;
    const last = isCut ? expired.at(-1) : old.at(-1);
    return { after: last?.id ?? after, isMore: isCut || (end < 0 && rows.length === WALK_ROWS) };
  }

  async #forget(transaction: Transaction, ids: readonly number[]): Promise<boolean> {
    if (!(await tryLock(transaction, this.database.dialect, LOCK))) return false;
    const values = { ids: JSON.stringify(ids) };
    for (const query of [this.#older, this.#creations, this.#gone, this.#emptyValues]) {
      await transaction.all(query, values);
    }
    return true;
  }
}
