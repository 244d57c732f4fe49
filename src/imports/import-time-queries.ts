import { CompiledQuery } from '../database/compiled-query.js';
import type { Database, Transaction } from '../database/database.js';
import { PostCollection } from '../posts/post-collection.entity.js';
import { changeTime } from '../posts/writes/change-time.js';

/** The `modified` time of an import's posts, in SQL. */
export const IMPORT_TIME = '(SELECT importing_since FROM posts_state)';

/**
 * Records when the running import began. All of its posts get this time, although they become visible much later. Until
 * then, lists report that unseen changes may exist from this time on (`listLastModified` in posts/post-validators.ts).
 */
export class ImportTimeQueries {
  readonly begin: CompiledQuery;
  readonly end: CompiledQuery;

  constructor({ dialect, reader }: Database) {
    const noteTime = (time: string): CompiledQuery =>
      CompiledQuery.from(
        reader.manager
          .createQueryBuilder()
          .update(PostCollection)
          .set({ importingSince: () => time }),
        [],
      );
    this.begin = noteTime(changeTime(dialect));
    this.end = noteTime(`''`);
  }

  async isNoted({ manager }: Transaction): Promise<boolean> {
    return (await manager.findOneByOrFail(PostCollection, {})).importingSince !== '';
  }
}
