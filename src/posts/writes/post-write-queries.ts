import { CompiledQuery } from '../../database/compiled-query.js';
import type { Database } from '../../database/database.js';
import { Insertion, Update } from '../../database/entity-queries.js';
import { Post, POST_CONTENT } from '../post.entity.js';
import { changeTime, marked, nextChangeTime } from './change-time.js';

/** The new content of a post, and the version that it replaces. */
type Replacement = Omit<Post, 'modified'>;

/** The statements that change posts. */
export class PostWriteQueries {
  /** `:ids` is a JSON array of ids. */
  readonly delete: CompiledQuery;
  /** Returns the id and the time of change of each post; the time is the same for all. */
  readonly insertion: Insertion<Omit<Post, 'id' | 'modified'>>;
  readonly restoration: Insertion<Omit<Post, 'modified'>>;
  /** Updates the posts that still have the given version. */
  readonly update: Update<Replacement>;

  constructor(database: Database) {
    const { dialect } = database;
    const posts = database.reader.manager.getRepository(Post);
    const returning = 'id AS "id", modified AS "modified"';
    const modified = changeTime(dialect);
    this.insertion = new Insertion(database, Post, { returning, expressions: { modified } });
    this.restoration = new Insertion(database, Post, {
      returning,
      givesIds: true,
      // The previous change of the post may be in the same second.
      expressions: { modified: marked(modified) },
    });
    this.update = new Update(database, Post, {
      where: ['id', 'version'],
      set: POST_CONTENT,
      expressions: { version: 'posts.version + 1', modified: nextChangeTime(dialect, 'posts.modified') },
      returning: 'posts.id AS "id", version AS "version", modified AS "modified"',
    });
    this.delete = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .delete()
        .where(`id ${dialect.isOneOf(':ids')}`),
      ['ids'],
    );
  }
}
