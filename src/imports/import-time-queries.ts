import { CompiledQuery } from '../database/compiled-query.js';
import type { Database, Transaction } from '../database/database.js';
import { PostCollection } from '../posts/post-collection.entity.js';
import { changeTime } from '../posts/writes/change-time.js';

/** The time of its posts, in SQL. */
export const IMPORT_TIME = '(SELECT importing_since FROM posts_state)';

/**
 * Notes when the import that runs began. All of its posts have that time, because they are stored long before they are
 * seen; until then, lists say that nothing later than that is known for sure (posts/last-modified.ts).
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
