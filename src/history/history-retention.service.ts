import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { In, type SelectQueryBuilder } from 'typeorm';
import { BackgroundRemoval } from '../database/background-removal.js';
import { Database, type Transaction } from '../database/database.js';
import { selectProperties } from '../database/entity-queries.js';
import { LOGGER } from '../logging/logger.js';
import { expiryOf, PostDeletionsService } from '../posts/deletions/post-deletions.service.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { OLD, PostRevision } from './post-revision.entity.js';
import { isLast, isLater } from './revision-queries.js';

const INTERVAL_MS = 3_600_000;
/** Small enough that no request waits noticeably for the transaction. */
const BATCH_ROWS = 200;
/** The number of rows that one query examines. */
const WALK_ROWS = 2_000;

/** 1 unless it is a row of a post without old values. */
const HAS_SOMETHING = `CASE WHEN revision.oldTitle IS NULL AND revision.action <> 'purged' AND revision.number > 0 THEN 0 ELSE 1 END`;

/**
 * Removes history that is older than HISTORY_DAYS, in the background: the content of revisions that were replaced before
 * the deadline with all older revisions, and everything about posts that were deleted before it. Rows about the current
 * state of a post are kept.
 */
@Injectable()
export class HistoryRetention extends BackgroundRemoval implements OnApplicationBootstrap {
  /** Rows up to this id have been examined. */
  #after = 0;

  constructor(
    private readonly database: Database,
    private readonly deletions: PostDeletionsService,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super('The oldest history', logger);
  }

  onApplicationBootstrap(): void {
    if (this.settings.historyDays === 0) return;
    this.start(INTERVAL_MS);
    this.runAndReport();
  }

  protected async removeSome(now: number): Promise<boolean> {
    const deadline = expiryOf(this.settings.historyDays, now);
    return (await this.#forgetRevisions(deadline)) || this.deletions.forget(deadline, BATCH_ROWS);
  }

  /**
   * Examines some rows, and removes those that are older than the deadline.
   *
   * @param deadline a date in its stored form
   * @returns whether more rows from before the deadline may follow
   */
  async #forgetRevisions(deadline: string): Promise<boolean> {
    const rows = await selectProperties(this.database.reader.manager, PostRevision, 'revision', ['id', 'at'])
      .addSelect(HAS_SOMETHING, 'hasSomething')
      .where('revision.id > :after', { after: this.#after })
      .orderBy('revision.id')
      .limit(WALK_ROWS)
      .getRawMany<{ id: number; at: string; hasSomething: number }>();
    // The dates ascend with the ids, but for those of transactions that ran at the same time, or of a clock that was set
    // back: such a row may be skipped until the next start.
    const old = rows.filter(({ at }) => at < deadline);
    const expired = old.filter(({ hasSomething }) => hasSomething === 1).slice(0, BATCH_ROWS);
    if (expired.length > 0) {
      const ids = expired.map(({ id }) => id);
      await this.database.writeAtLength((transaction) => this.#forget(transaction, ids));
    }
    const isCut = expired.length === BATCH_ROWS;
    const last = isCut ? expired.at(-1) : old.at(-1);
    this.#after = last?.id ?? this.#after;
    return isCut || old.length === WALK_ROWS;
  }

  async #forget({ manager }: Transaction, ids: readonly number[]): Promise<void> {
    const values = { ids };
    const expired = (): SelectQueryBuilder<PostRevision> =>
      manager.createQueryBuilder(PostRevision, 'expired').where('expired.id IN (:...ids)');
    const remove = (condition: string): Promise<unknown> =>
      manager.createQueryBuilder().delete().from(PostRevision).where(condition, values).execute();

    // Entries that are not about a single post.
    await remove('number = 0 AND id IN (:...ids)');

    const older = expired()
      .select('older.id')
      .innerJoin(PostRevision, 'older', `${isLater('expired', 'older')} AND older.number > 1`);
    await remove(`id IN (${older.getQuery()})`);

    const lastOfGone = expired().andWhere(`expired.action IN ('deleted', 'purged')`);
    lastOfGone.andWhere(isLast(lastOfGone, 'expired'));
    const gonePosts = lastOfGone.clone().select('expired.postId');
    await remove(`number = 1 AND lastPostId = postId AND postId IN (${gonePosts.getQuery()})`);
    await remove(`id IN (${lastOfGone.select('expired.id').getQuery()})`);

    await manager
      .createQueryBuilder()
      .update(PostRevision)
      .set(Object.fromEntries(Object.values(OLD).map((property) => [property, null])))
      .where({ id: In(ids) })
      .execute();
  }
}
