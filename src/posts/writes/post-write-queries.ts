import { CompiledQuery } from '../../database/compiled-query.js';
import type { Database } from '../../database/database.js';
import { Insertion, namedParameters } from '../../database/entity-queries.js';
import { Post, POST_CONTENT } from '../post.entity.js';
import { changeTime, marked, nextChangeTime } from './change-time.js';

/** The statements that change posts. */
export class PostWriteQueries {
  /**
   * Updates the post with `:id` and `:version`; `:before` is the previous time of change. Returns a row with the new
   * version and time of change, or no row.
   */
  readonly update: CompiledQuery;
  /** Deletes the post with `:id` and `:version`. Returns one row, or no row. */
  readonly delete: CompiledQuery;
  /** `:ids` is a JSON array of ids. */
  readonly deleteByIds: CompiledQuery;
  /** Returns the id and the time of change of each post; the time is the same for all. */
  readonly insertion: Insertion<Omit<Post, 'id' | 'modified'>>;
  readonly restoration: Insertion<Omit<Post, 'modified'>>;

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
    this.update = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .update()
        .set({
          ...namedParameters(POST_CONTENT),
          version: () => 'version + 1',
          modified: () => nextChangeTime(dialect, ':before'),
        })
        .where('id = :id AND version = :version'),
      [...POST_CONTENT, 'before', 'id', 'version'],
      ' RETURNING "version", "modified"',
    );
    this.delete = CompiledQuery.from(
      posts.createQueryBuilder().delete().where('id = :id AND version = :version'),
      ['id', 'version'],
      ' RETURNING "id"',
    );
    this.deleteByIds = CompiledQuery.from(
      posts
        .createQueryBuilder()
        .delete()
        .where(`id ${dialect.isOneOf(':ids')}`),
      ['ids'],
    );
  }
}
