import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { In } from 'typeorm';
import { BackgroundRemoval, Database, selectProperties, type Transaction } from '../database/index.js';
import { LOGGER } from '../logging/logger.js';
import { keptSince, PostDeletionsService } from '../posts/deletions/post-deletions.service.js';
import { PostsStateRepository } from '../posts/posts-state.repository.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { OLD, PostRevision } from './post-revision.entity.js';

const INTERVAL_MS = 3_600_000;
/** Small enough that no request waits noticeably for the transaction. */
const BATCH_ROWS = 200;
/** The number of rows that one query examines. */
const WALK_ROWS = 2_000;

/** 1 unless it is a row of a post without old values. */
const HAS_SOMETHING = `CASE WHEN revision.oldTitle IS NULL AND revision.action <> 'purged' AND revision.number > 0 THEN 0 ELSE 1 END`;

/** The old values, forgotten. */
const NO_CONTENT = Object.fromEntries(Object.values(OLD).map((property) => [property, null]));

/** Entries of the change log that are not about a single post. */
const ENTRIES_WITHOUT_POST = '"number" = 0 AND "id" IN (:...ids)';

/** Changes that other changes of the same post follow, of which these are. */
const OLDER_CHANGES = `"id" IN (
  SELECT older."id" FROM "post_revisions" expired
  JOIN "post_revisions" older
    ON older."post_id" = expired."post_id" AND older."number" > 1 AND older."number" < expired."number"
  WHERE expired."id" IN (:...ids) AND expired."number" > 1
)`;

/** Deletions and permanent removals that no later change of the post follows. */
const LAST_OF_GONE_POSTS = `
  FROM "post_revisions" expired
  WHERE expired."id" IN (:...ids) AND expired."action" IN ('deleted', 'purged') AND NOT EXISTS (
    SELECT 1 FROM "post_revisions" later
    WHERE later."post_id" = expired."post_id" AND later."number" > 1 AND later."number" > expired."number"
  )`;

/** The creations of posts that are gone, if no other post was created with them. */
const CREATIONS_OF_GONE_POSTS = `
  "number" = 1 AND "last_post_id" = "post_id" AND "post_id" IN (SELECT expired."post_id" ${LAST_OF_GONE_POSTS})`;

const DELETIONS_OF_GONE_POSTS = `"id" IN (SELECT expired."id" ${LAST_OF_GONE_POSTS})`;

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
    private readonly states: PostsStateRepository,
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
    const { modified } = await this.states.readState();
    const deadline = keptSince(this.settings.historyDays, modified, now);
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

  /** Removes what these rows say, and what older rows of the same posts say. Nothing here is hot, but it deletes. */
  async #forget({ manager }: Transaction, ids: readonly number[]): Promise<void> {
    const values = { ids };
    const remove = (condition: string): Promise<unknown> =>
      manager.createQueryBuilder().delete().from(PostRevision).where(condition, values).execute();
    await remove(ENTRIES_WITHOUT_POST);
    await remove(OLDER_CHANGES);
    await remove(CREATIONS_OF_GONE_POSTS);
    await remove(DELETIONS_OF_GONE_POSTS);
    // The others remain, without content.
    await manager.update(PostRevision, { id: In(ids) }, NO_CONTENT);
  }
}
